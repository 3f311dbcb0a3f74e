// Each function walks its arrays with AX, the offset in bytes, up to CX.
#define BEGIN \
	MOVQ n+0(FP), CX; \
	SHLQ $3, CX; \
	XORQ AX, AX

#define NEXT(loop) \
	ADDQ $32, AX; \
	CMPQ AX, CX; \
	JLT loop
