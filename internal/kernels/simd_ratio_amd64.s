#include "textflag.h"
#include "simd_amd64.h"

// func completeAVX2(num, den, s, code []float64, k *complete) int
TEXT ·completeAVX2(SB), NOSPLIT, $0-112
	BEGIN(num_len+8(FP), ret+104(FP))
	MOVQ num_base+0(FP), DI
	MOVQ den_base+24(FP), SI
	MOVQ s_base+48(FP), R8
	MOVQ code_base+72(FP), R9
	MOVQ k+96(FP), DX
	VBROADCASTSD (DX), Y15
	VBROADCASTSD 8(DX), Y14
	VBROADCASTSD 16(DX), Y13
	VBROADCASTSD 24(DX), Y12
	VBROADCASTSD 32(DX), Y11
	VBROADCASTSD 40(DX), Y10

loop:
	VMULPD (R8)(AX*1), Y11, Y0
	VADDPD Y12, Y0, Y0
	VCMPPD $0, (R9)(AX*1), Y15, Y1
	VMULPD Y13, Y0, Y2
	VANDPD Y1, Y2, Y2
	VADDPD Y14, Y2, Y2
	VMULPD (DI)(AX*1), Y2, Y2
	VMOVUPD Y2, (DI)(AX*1)
	VADDPD Y10, Y0, Y3
	VMULPD Y3, Y0, Y3
	VMULPD (SI)(AX*1), Y3, Y3
	VMOVUPD Y3, (SI)(AX*1)
	NEXT(loop)
	VZEROUPPER
	RET

// func pullCompleteAVX2(ds, gs, s, code []float64, k *complete, sum *[4]lanes) int
TEXT ·pullCompleteAVX2(SB), NOSPLIT, $0-120
	BEGIN(ds_len+8(FP), ret+112(FP))
	MOVQ ds_base+0(FP), DI
	MOVQ gs_base+24(FP), SI
	MOVQ s_base+48(FP), R8
	MOVQ code_base+72(FP), R9
	MOVQ k+96(FP), DX
	MOVQ sum+104(FP), R10
	VBROADCASTSD (DX), Y15
	VBROADCASTSD 16(DX), Y13
	VBROADCASTSD 32(DX), Y11
	VBROADCASTSD 40(DX), Y10
	VXORPD Y9, Y9, Y9
	VXORPD Y8, Y8, Y8
	VXORPD Y7, Y7, Y7
	VXORPD Y6, Y6, Y6

loop:
	// Y0 z, Y1 b or 0, Y2 N, Y3 z₁, Y4 z·z₁
	VBROADCASTSD 24(DX), Y12
	VMULPD (R8)(AX*1), Y11, Y0
	VADDPD Y12, Y0, Y0
	VCMPPD $0, (R9)(AX*1), Y15, Y1
	VANDPD Y13, Y1, Y1
	VBROADCASTSD 8(DX), Y14
	VMULPD Y1, Y0, Y2
	VADDPD Y14, Y2, Y2
	VADDPD Y10, Y0, Y3
	VMULPD Y3, Y0, Y4
	// Y5 q, Y14 q·N, Y12 g/N, then Y5 g/z₁
	VMULPD Y4, Y2, Y5
	VMOVUPD (SI)(AX*1), Y12
	VDIVPD Y5, Y12, Y5
	VMULPD Y2, Y5, Y14
	VMULPD Y4, Y5, Y12
	VMULPD Y0, Y14, Y5
	VADDPD Y12, Y7, Y7
	VADDPD Y5, Y6, Y6
	// Y1 f
	VMULPD Y12, Y1, Y1
	VMULPD Y3, Y14, Y14
	VSUBPD Y14, Y1, Y1
	VSUBPD Y5, Y1, Y1
	VADDPD Y1, Y9, Y9
	VMULPD Y1, Y11, Y2
	VADDPD (DI)(AX*1), Y2, Y2
	VMOVUPD Y2, (DI)(AX*1)
	VMULPD (R8)(AX*1), Y1, Y1
	VADDPD Y1, Y8, Y8
	NEXT(loop)
	VMOVUPD Y9, (R10)
	VMOVUPD Y8, 32(R10)
	VMOVUPD Y7, 64(R10)
	VMOVUPD Y6, 96(R10)
	VZEROUPPER
	RET

// The coefficient at the given offset in the ratio that each vertex has, of the
// extended at DX, where Y11 marks p and Y10 marks q.
#define SELECT(off, OUT, TMP) \
	VBROADCASTSD (176+off)(DX), OUT; \
	VBROADCASTSD (112+off)(DX), TMP; \
	VBLENDVPD Y10, TMP, OUT, OUT; \
	VBROADCASTSD (48+off)(DX), TMP; \
	VBLENDVPD Y11, TMP, OUT, OUT

// Y0 z, Y1 z₁, Y2 z₂, Y3 b, Y4 c, Y5 N of an extended, from s at R8 and vertices at
// R9.
#define EXTENDED \
	VMOVUPD (R9)(AX*1), Y6; \
	VBROADCASTSD (DX), Y7; \
	VCMPPD $0, Y7, Y6, Y11; \
	VBROADCASTSD 8(DX), Y7; \
	VCMPPD $0, Y7, Y6, Y10; \
	VBROADCASTSD 24(DX), Y7; \
	VMULPD (R8)(AX*1), Y7, Y0; \
	VBROADCASTSD 16(DX), Y7; \
	VADDPD Y7, Y0, Y0; \
	VBROADCASTSD 40(DX), Y7; \
	VADDPD Y7, Y0, Y2; \
	SELECT(24, Y8, Y7); \
	VBROADCASTSD 32(DX), Y7; \
	VADDPD Y7, Y0, Y1; \
	VMULPD Y8, Y1, Y1; \
	VBROADCASTSD unit<>(SB), Y7; \
	VSUBPD Y8, Y7, Y7; \
	VADDPD Y1, Y7, Y1; \
	SELECT(8, Y3, Y7); \
	SELECT(16, Y4, Y7); \
	SELECT(0, Y5, Y7); \
	VMULPD Y2, Y4, Y7; \
	VADDPD Y3, Y7, Y7; \
	VMULPD Y0, Y7, Y7; \
	VADDPD Y7, Y5, Y5

DATA unit<>+0(SB)/8, $1.0
GLOBL unit<>(SB), RODATA|NOPTR, $8

// func extendedAVX2(num, den, s, code []float64, k *extended) int
TEXT ·extendedAVX2(SB), NOSPLIT, $0-112
	BEGIN(num_len+8(FP), ret+104(FP))
	MOVQ num_base+0(FP), DI
	MOVQ den_base+24(FP), SI
	MOVQ s_base+48(FP), R8
	MOVQ code_base+72(FP), R9
	MOVQ k+96(FP), DX

loop:
	EXTENDED
	VMULPD (DI)(AX*1), Y5, Y5
	VMOVUPD Y5, (DI)(AX*1)
	VMULPD Y1, Y0, Y6
	VMULPD Y2, Y6, Y6
	VMULPD (SI)(AX*1), Y6, Y6
	VMOVUPD Y6, (SI)(AX*1)
	NEXT(loop)
	VZEROUPPER
	RET

// func pullExtendedAVX2(ds, gs, s, code []float64, k *extended, sum *[4]lanes) int
TEXT ·pullExtendedAVX2(SB), NOSPLIT, $0-120
	BEGIN(ds_len+8(FP), ret+112(FP))
	MOVQ ds_base+0(FP), DI
	MOVQ gs_base+24(FP), SI
	MOVQ s_base+48(FP), R8
	MOVQ code_base+72(FP), R9
	MOVQ k+96(FP), DX
	MOVQ sum+104(FP), R10
	VXORPD Y12, Y12, Y12
	VXORPD Y13, Y13, Y13
	VXORPD Y14, Y14, Y14
	VXORPD Y15, Y15, Y15

loop:
	EXTENDED
	// Y6 z·z₁, Y7 z·z₁·z₂, Y9 q
	VMULPD Y1, Y0, Y6
	VMULPD Y2, Y6, Y7
	VMULPD Y7, Y5, Y9
	VMOVUPD (SI)(AX*1), Y8
	VDIVPD Y9, Y8, Y9
	// Y5 q·N, Y7 g/N, Y6 g/z₂, Y8 g/z
	VMULPD Y5, Y9, Y5
	VMULPD Y7, Y9, Y7
	VMULPD Y6, Y5, Y6
	VMULPD Y2, Y1, Y8
	VMULPD Y8, Y5, Y8
	// Y9 f, Y8 e·g/z₁
	VADDPD Y0, Y2, Y9
	VMULPD Y9, Y4, Y9
	VADDPD Y9, Y3, Y9
	VMULPD Y9, Y7, Y9
	VSUBPD Y8, Y9, Y9
	VSUBPD Y6, Y9, Y9
	VMULPD Y2, Y0, Y8
	VMULPD Y8, Y5, Y8
	SELECT(24, Y1, Y3)
	VMULPD Y1, Y8, Y8
	VSUBPD Y8, Y9, Y9
	VADDPD Y9, Y12, Y12
	VBROADCASTSD 24(DX), Y1
	VMULPD Y9, Y1, Y1
	VADDPD (DI)(AX*1), Y1, Y1
	VMOVUPD Y1, (DI)(AX*1)
	VMULPD (R8)(AX*1), Y9, Y9
	VADDPD Y9, Y13, Y13
	// by b₁
	SELECT(40, Y1, Y3)
	SELECT(32, Y9, Y3)
	VMULPD Y0, Y1, Y1
	VADDPD Y9, Y1, Y1
	VMULPD Y7, Y1, Y1
	VSUBPD Y8, Y1, Y1
	VADDPD Y1, Y14, Y14
	// by b₂
	SELECT(56, Y1, Y3)
	SELECT(48, Y9, Y3)
	VADDPD Y4, Y1, Y1
	VMULPD Y0, Y1, Y1
	VADDPD Y9, Y1, Y1
	VMULPD Y7, Y1, Y1
	VSUBPD Y6, Y1, Y1
	VADDPD Y1, Y15, Y15
	NEXT(loop)
	VMOVUPD Y12, (R10)
	VMOVUPD Y13, 32(R10)
	VMOVUPD Y14, 64(R10)
	VMOVUPD Y15, 96(R10)
	VZEROUPPER
	RET

// The four entries of the array at R10 whose numbers are in the array at R9.
#define GATHER(OUT, AT, MASK) \
	VMOVUPD (R9)(AX*1), AT; \
	VPCMPEQD MASK, MASK, MASK; \
	VGATHERQPD MASK, (R10)(AT*8), OUT

// func addFractionAVX2(dst, s []float64, at []int, p []float64, base, alpha float64) int
TEXT ·addFractionAVX2(SB), NOSPLIT, $0-120
	BEGIN(dst_len+8(FP), ret+112(FP))
	MOVQ dst_base+0(FP), DI
	MOVQ s_base+24(FP), R8
	MOVQ at_base+48(FP), R9
	MOVQ p_base+72(FP), R10
	VBROADCASTSD base+96(FP), Y0
	VBROADCASTSD alpha+104(FP), Y1

loop:
	VXORPD Y2, Y2, Y2
	GATHER(Y2, Y3, Y4)
	VMULPD (R8)(AX*1), Y1, Y5
	VADDPD Y5, Y0, Y5
	VDIVPD Y5, Y2, Y2
	VADDPD (DI)(AX*1), Y2, Y2
	VMOVUPD Y2, (DI)(AX*1)
	NEXT(loop)
	VZEROUPPER
	RET

// func pullFractionAVX2(ds, h, s []float64, at []int, p []float64, base, alpha float64, sum *[2]lanes) int
TEXT ·pullFractionAVX2(SB), NOSPLIT, $0-152
	BEGIN(ds_len+8(FP), ret+144(FP))
	MOVQ ds_base+0(FP), DI
	MOVQ h_base+24(FP), SI
	MOVQ s_base+48(FP), R8
	MOVQ at_base+72(FP), R9
	MOVQ p_base+96(FP), R10
	VBROADCASTSD base+120(FP), Y0
	VBROADCASTSD alpha+128(FP), Y1
	MOVQ sum+136(FP), DX
	VXORPD Y8, Y8, Y8
	VXORPD Y9, Y9, Y9

loop:
	VXORPD Y2, Y2, Y2
	GATHER(Y2, Y3, Y4)
	VMOVUPD (R8)(AX*1), Y6
	VMULPD Y6, Y1, Y5
	VADDPD Y5, Y0, Y5
	VMULPD Y5, Y5, Y5
	VMULPD (SI)(AX*1), Y2, Y2
	VDIVPD Y5, Y2, Y2
	VADDPD Y2, Y8, Y8
	VMULPD Y2, Y6, Y6
	VADDPD Y6, Y9, Y9
	VMULPD Y2, Y1, Y2
	VMOVUPD (DI)(AX*1), Y3
	VSUBPD Y2, Y3, Y3
	VMOVUPD Y3, (DI)(AX*1)
	NEXT(loop)
	VMOVUPD Y8, (DX)
	VMOVUPD Y9, 32(DX)
	VZEROUPPER
	RET
