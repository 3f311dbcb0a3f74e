#include "textflag.h"
#include "simd_amd64.h"

// func addSquaresAVX2(dst []float64, s *[4]square, lo int) int
TEXT ·addSquaresAVX2(SB), NOSPLIT, $0-48
	BEGIN(dst_len+8(FP), ret+40(FP))
	MOVQ dst_base+0(FP), DI
	MOVQ s+24(FP), DX
	MOVQ lo+32(FP), BX
	SQUARE(0, R8, Y0, Y1)
	SQUARE(1, R9, Y2, Y3)
	SQUARE(2, R10, Y4, Y5)
	SQUARE(3, R11, Y6, Y7)

loop:
	VSUBPD (R8)(AX*1), Y0, Y8
	VSUBPD (R9)(AX*1), Y2, Y9
	VSUBPD (R10)(AX*1), Y4, Y10
	VSUBPD (R11)(AX*1), Y6, Y11
	VMULPD Y8, Y1, Y12
	VMULPD Y9, Y3, Y13
	VMULPD Y10, Y5, Y14
	VMULPD Y11, Y7, Y15
	VMULPD Y8, Y12, Y12
	VMULPD Y9, Y13, Y13
	VMULPD Y10, Y14, Y14
	VMULPD Y11, Y15, Y15
	VADDPD Y13, Y12, Y12
	VADDPD Y15, Y14, Y14
	VADDPD Y14, Y12, Y12
	VADDPD (DI)(AX*1), Y12, Y12
	VMOVUPD Y12, (DI)(AX*1)
	NEXT(loop)
	VZEROUPPER
	RET

// func addChoicesAVX2(dst, code []float64, p, q, atQ, rest float64) int
TEXT ·addChoicesAVX2(SB), NOSPLIT, $0-88
	BEGIN(dst_len+8(FP), ret+80(FP))
	MOVQ dst_base+0(FP), DI
	MOVQ code_base+24(FP), SI
	VBROADCASTSD p+48(FP), Y0
	VBROADCASTSD q+56(FP), Y1
	VBROADCASTSD atQ+64(FP), Y2
	VBROADCASTSD rest+72(FP), Y3

loop:
	VMOVUPD (SI)(AX*1), Y4
	VCMPPD $0, Y1, Y4, Y5
	VCMPPD $0, Y0, Y4, Y6
	VBLENDVPD Y5, Y2, Y3, Y7
	VANDNPD Y7, Y6, Y7
	VADDPD (DI)(AX*1), Y7, Y7
	VMOVUPD Y7, (DI)(AX*1)
	NEXT(loop)
	VZEROUPPER
	RET

// func divideAVX2(num, den []float64) int
TEXT ·divideAVX2(SB), NOSPLIT, $0-56
	BEGIN(num_len+8(FP), ret+48(FP))
	MOVQ num_base+0(FP), DI
	MOVQ den_base+24(FP), SI

loop:
	VMOVUPD (DI)(AX*1), Y0
	VDIVPD (SI)(AX*1), Y0, Y0
	VMOVUPD Y0, (DI)(AX*1)
	NEXT(loop)
	VZEROUPPER
	RET

// func timesAVX2(dst, k []float64) int
TEXT ·timesAVX2(SB), NOSPLIT, $0-56
	BEGIN(dst_len+8(FP), ret+48(FP))
	MOVQ dst_base+0(FP), DI
	MOVQ k_base+24(FP), SI

loop:
	VMOVUPD (DI)(AX*1), Y0
	VMULPD (SI)(AX*1), Y0, Y0
	VMOVUPD Y0, (DI)(AX*1)
	NEXT(loop)
	VZEROUPPER
	RET

// func addSumAVX2(dst, gs []float64, sum *lanes) int
TEXT ·addSumAVX2(SB), NOSPLIT, $0-64
	BEGIN(dst_len+8(FP), ret+56(FP))
	MOVQ dst_base+0(FP), DI
	MOVQ gs_base+24(FP), SI
	MOVQ sum+48(FP), DX
	VXORPD Y1, Y1, Y1

loop:
	VMOVUPD (SI)(AX*1), Y0
	VADDPD Y0, Y1, Y1
	VADDPD (DI)(AX*1), Y0, Y0
	VMOVUPD Y0, (DI)(AX*1)
	NEXT(loop)
	VMOVUPD Y1, (DX)
	VZEROUPPER
	RET

// func sumDifferencesAVX2(gs, f []float64, x float64, sum *lanes) int
TEXT ·sumDifferencesAVX2(SB), NOSPLIT, $0-72
	BEGIN(gs_len+8(FP), ret+64(FP))
	MOVQ gs_base+0(FP), DI
	MOVQ f_base+24(FP), SI
	VBROADCASTSD x+48(FP), Y0
	MOVQ sum+56(FP), DX
	VXORPD Y2, Y2, Y2

loop:
	VSUBPD (SI)(AX*1), Y0, Y3
	VMULPD (DI)(AX*1), Y3, Y4
	VADDPD Y4, Y2, Y2
	NEXT(loop)
	VMOVUPD Y2, (DX)
	VZEROUPPER
	RET

// func sumChoicesAVX2(gs, code []float64, p, q float64, sum *[2]lanes) int
TEXT ·sumChoicesAVX2(SB), NOSPLIT, $0-80
	BEGIN(gs_len+8(FP), ret+72(FP))
	MOVQ gs_base+0(FP), DI
	MOVQ code_base+24(FP), SI
	VBROADCASTSD p+48(FP), Y0
	VBROADCASTSD q+56(FP), Y1
	MOVQ sum+64(FP), DX
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3

loop:
	VMOVUPD (SI)(AX*1), Y4
	VCMPPD $0, Y1, Y4, Y5
	VCMPPD $0, Y0, Y4, Y6
	VMOVUPD (DI)(AX*1), Y4
	VANDPD Y4, Y5, Y7
	VADDPD Y7, Y2, Y2
	VORPD Y6, Y5, Y6
	VANDNPD Y4, Y6, Y7
	VADDPD Y7, Y3, Y3
	NEXT(loop)
	VMOVUPD Y2, (DX)
	VMOVUPD Y3, 32(DX)
	VZEROUPPER
	RET

// The constants of expNegative, in the order of use.
DATA decaying<>+0(SB)/8, $708.0
DATA decaying<>+8(SB)/8, $-1.44269504088896338700e+00
DATA decaying<>+16(SB)/8, $6755399441055744.0
DATA decaying<>+24(SB)/8, $1023
DATA decaying<>+32(SB)/8, $-6.93147180369123816490e-01
DATA decaying<>+40(SB)/8, $1.90821492927058770002e-10
DATA decaying<>+48(SB)/8, $1.0
// 1/12!, 1/10!, …, 1/2!, then 1/13!, 1/11!, …, 1/3!
DATA decaying<>+56(SB)/8, $2.08767569878680989792e-09
DATA decaying<>+64(SB)/8, $2.75573192239858906526e-07
DATA decaying<>+72(SB)/8, $2.48015873015873015873e-05
DATA decaying<>+80(SB)/8, $1.38888888888888888889e-03
DATA decaying<>+88(SB)/8, $4.16666666666666666667e-02
DATA decaying<>+96(SB)/8, $0.5
DATA decaying<>+104(SB)/8, $1.60590438368216145994e-10
DATA decaying<>+112(SB)/8, $2.50521083854417187751e-08
DATA decaying<>+120(SB)/8, $2.75573192239858906526e-06
DATA decaying<>+128(SB)/8, $1.98412698412698412698e-04
DATA decaying<>+136(SB)/8, $8.33333333333333333333e-03
DATA decaying<>+144(SB)/8, $1.66666666666666666667e-01
GLOBL decaying<>(SB), RODATA|NOPTR, $152

#define CONSTANT(off, Y) VBROADCASTSD decaying<>+off(SB), Y

// OUT = r²·a + b of the constants at the two offsets; Y3 is r².
#define PAIR(a, b, OUT, TMP) \
	CONSTANT(a, OUT); \
	CONSTANT(b, TMP); \
	VMULPD Y3, OUT, OUT; \
	VADDPD TMP, OUT, OUT

// SUM = SUM·r⁴ + PAIR; Y1 is r⁴.
#define STEP(SUM, PAIR) \
	VMULPD Y1, SUM, SUM; \
	VADDPD PAIR, SUM, SUM

// Y1 = (c₀ + z(c₁ + z·c₂))·Y4 with the coefficients at C where Y2, else 0; Y0 is z.
#define DECAYING(C) \
	VBROADCASTSD 16(C), Y1; \
	VBROADCASTSD 8(C), Y3; \
	VBROADCASTSD (C), Y5; \
	VMULPD Y1, Y0, Y1; \
	VADDPD Y3, Y1, Y1; \
	VMULPD Y0, Y1, Y1; \
	VADDPD Y5, Y1, Y1; \
	VMULPD Y4, Y1, Y1; \
	VANDPD Y2, Y1, Y1

// func decayAVX2(q, d []float64, k float64, root bool, value, slope *decaying) int
TEXT ·decayAVX2(SB), NOSPLIT, $0-88
	BEGIN(q_len+8(FP), ret+80(FP))
	MOVQ q_base+0(FP), DI
	MOVQ d_base+24(FP), SI
	MOVBLZX root+56(FP), BX
	MOVQ value+64(FP), DX
	MOVQ slope+72(FP), R8
	VBROADCASTSD k+48(FP), Y15
	CONSTANT(0, Y11)
	CONSTANT(8, Y10)
	CONSTANT(16, Y9)
	CONSTANT(48, Y8)

loop:
	VMULPD (DI)(AX*1), Y15, Y0
	VXORPD Y1, Y1, Y1
	VMAXPD Y0, Y1, Y0 // NaN stays
	TESTL BX, BX
	JZ straight
	VSQRTPD Y0, Y0

straight:
	// Y0 z, Y1 k, Y2 r, Y3 r², Y4 even, Y5 odd, Y6 2^k
	VMULPD Y10, Y0, Y1
	VADDPD Y9, Y1, Y1
	CONSTANT(24, Y6)
	VPADDQ Y6, Y1, Y6
	VPSLLQ $52, Y6, Y6
	VSUBPD Y9, Y1, Y1
	CONSTANT(32, Y2)
	VMULPD Y2, Y1, Y2
	VSUBPD Y0, Y2, Y2
	CONSTANT(40, Y7)
	VMULPD Y7, Y1, Y7
	VSUBPD Y7, Y2, Y2
	VMULPD Y2, Y2, Y3
	VMULPD Y3, Y3, Y1
	PAIR(56, 64, Y4, Y7)
	CONSTANT(104, Y5)
	PAIR(112, 120, Y12, Y13)
	PAIR(72, 80, Y14, Y7)
	STEP(Y5, Y12)
	STEP(Y4, Y14)
	PAIR(128, 136, Y12, Y13)
	PAIR(88, 96, Y14, Y7)
	STEP(Y5, Y12)
	STEP(Y4, Y14)
	CONSTANT(144, Y12)
	VMULPD Y3, Y12, Y12
	VADDPD Y8, Y12, Y12
	STEP(Y5, Y12)
	VMULPD Y3, Y4, Y4
	VMULPD Y2, Y5, Y5
	VADDPD Y4, Y5, Y4
	VADDPD Y8, Y4, Y4
	VMULPD Y6, Y4, Y4
	// 0 where z > 708
	VCMPPD $0x1A, Y11, Y0, Y2
	DECAYING(DX)
	VMOVUPD Y1, (DI)(AX*1)
	TESTQ SI, SI
	JZ next
	DECAYING(R8)
	VMOVUPD Y1, (SI)(AX*1)

next:
	NEXT(loop)
	VZEROUPPER
	RET
