// Each function walks its arrays with AX, the offset in bytes, up to CX: a multiple of four numbers, which it returns.
// It ends at once where there are none, or no vectors.
#define BEGIN(LENGTH, DONE) \
	XORQ CX, CX; \
	CMPB ·vectors(SB), $0; \
	JEQ 3(PC); \
	MOVQ LENGTH, CX; \
	ANDQ $~3, CX; \
	MOVQ CX, DONE; \
	SHLQ $3, CX; \
	JNE 2(PC); \
	RET; \
	XORQ AX, AX

#define NEXT(loop) \
	ADDQ $32, AX; \
	CMPQ AX, CX; \
	JLT loop

// The square in the given place of the array at DX: f from number BX on in P, x in
// X, w in W.
#define SQUARE(place, P, X, W) \
	MOVQ (40*place)(DX), P; \
	LEAQ (P)(BX*8), P; \
	VBROADCASTSD (40*place+24)(DX), X; \
	VBROADCASTSD (40*place+32)(DX), W
