#include "textflag.h"

// The rows of one query stream from memory, so the loop only has to keep up with it: four chains hide the
// latency of the fused multiply-add, and the next rows are asked for ahead.

// SUM adds up the eight values of y into the lowest of x, its low half.
#define SUM(y, x, t) \
	VEXTRACTF128 $1, y, t \
	VADDPS       t, x, x  \
	VHADDPS      x, x, x  \
	VHADDPS      x, x, x

// func dotOneAVX2(out, rows, query *float32, n, dim, stride int)
TEXT ·dotOneAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ query+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ dim+32(FP), R8
	MOVQ stride+40(FP), R9
	SHLQ $2, R8           // bytes
	SHLQ $2, R9
	MOVQ R8, R10
	ANDQ $~127, R10       // bytes in whole steps of 32 values

oneRow:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ   AX, AX
	CMPQ   AX, R10
	JGE    oneRest

oneStep:
	VMOVUPS     (SI)(AX*1), Y4
	VMOVUPS     32(SI)(AX*1), Y5
	VMOVUPS     64(SI)(AX*1), Y6
	VMOVUPS     96(SI)(AX*1), Y7
	PREFETCHT0  2048(SI)(AX*1)
	PREFETCHT0  2112(SI)(AX*1)
	VFMADD231PS (DX)(AX*1), Y4, Y0
	VFMADD231PS 32(DX)(AX*1), Y5, Y1
	VFMADD231PS 64(DX)(AX*1), Y6, Y2
	VFMADD231PS 96(DX)(AX*1), Y7, Y3
	ADDQ        $128, AX
	CMPQ        AX, R10
	JLT         oneStep

oneRest:
	CMPQ        AX, R8
	JGE         oneSum
	VMOVUPS     (SI)(AX*1), Y4
	VFMADD231PS (DX)(AX*1), Y4, Y0
	ADDQ        $32, AX
	JMP         oneRest

oneSum:
	VADDPS Y1, Y0, Y0
	VADDPS Y3, Y2, Y2
	VADDPS Y2, Y0, Y0
	SUM(Y0, X0, X1)
	VMOVSS X0, (DI)
	ADDQ   $4, DI
	ADDQ   R9, SI
	DECQ   CX
	JNZ    oneRow
	VZEROUPPER
	RET

// func dotFourAVX2(out, rows, queries *float32, n, dim, stride, step int)
TEXT ·dotFourAVX2(SB), NOSPLIT, $0-56
	MOVQ out+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ queries+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ dim+32(FP), R8
	MOVQ stride+40(FP), R9
	MOVQ step+48(FP), R10
	SHLQ $2, R8
	SHLQ $2, R9
	SHLQ $2, R10
	SHRQ $1, CX               // pairs of rows
	LEAQ (DX)(R9*1), R11      // query 1
	LEAQ (DX)(R9*2), R12      // query 2
	LEAQ (R11)(R9*2), R13     // query 3
	LEAQ (R10)(R10*2), BX     // 3 * step

fourPair:
	LEAQ   (SI)(R9*1), R15    // the second row
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	XORQ   AX, AX

fourStep:
	VMOVUPS     (SI)(AX*1), Y8
	VMOVUPS     (R15)(AX*1), Y9
	VMOVUPS     (DX)(AX*1), Y10
	VMOVUPS     (R11)(AX*1), Y11
	VMOVUPS     (R12)(AX*1), Y12
	VMOVUPS     (R13)(AX*1), Y13
	VFMADD231PS Y8, Y10, Y0
	VFMADD231PS Y9, Y10, Y1
	VFMADD231PS Y8, Y11, Y2
	VFMADD231PS Y9, Y11, Y3
	VFMADD231PS Y8, Y12, Y4
	VFMADD231PS Y9, Y12, Y5
	VFMADD231PS Y8, Y13, Y6
	VFMADD231PS Y9, Y13, Y7
	ADDQ        $32, AX
	CMPQ        AX, R8
	JLT         fourStep

	// Pairwise sums across the eight accumulators leave, for each query, the products with both rows.
	VHADDPS      Y1, Y0, Y0
	VHADDPS      Y3, Y2, Y2
	VHADDPS      Y2, Y0, Y0
	VHADDPS      Y5, Y4, Y4
	VHADDPS      Y7, Y6, Y6
	VHADDPS      Y6, Y4, Y4
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0       // q0r0 q0r1 q1r0 q1r1
	VEXTRACTF128 $1, Y4, X5
	VADDPS       X5, X4, X4       // q2r0 q2r1 q3r0 q3r1
	VMOVLPS      X0, (DI)
	VMOVHPS      X0, (DI)(R10*1)
	VMOVLPS      X4, (DI)(R10*2)
	VMOVHPS      X4, (DI)(BX*1)
	ADDQ         $8, DI
	LEAQ         (SI)(R9*2), SI
	DECQ         CX
	JNZ          fourPair
	VZEROUPPER
	RET

// func lanes64AVX2(s *[lanes]float64, a, b *float32, n int)
TEXT ·lanes64AVX2(SB), NOSPLIT, $0-32
	MOVQ    s+0(FP), DI
	MOVQ    a+8(FP), SI
	MOVQ    b+16(FP), DX
	MOVQ    n+24(FP), CX
	SHLQ    $2, CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	XORQ    AX, AX

lanesStep:
	VCVTPS2PD   (SI)(AX*1), Y2
	VCVTPS2PD   16(SI)(AX*1), Y3
	VCVTPS2PD   (DX)(AX*1), Y4
	VCVTPS2PD   16(DX)(AX*1), Y5
	VFMADD231PD Y4, Y2, Y0
	VFMADD231PD Y5, Y3, Y1
	ADDQ        $32, AX
	CMPQ        AX, CX
	JLT         lanesStep
	VMOVUPD     Y0, (DI)
	VMOVUPD     Y1, 32(DI)
	VZEROUPPER
	RET
