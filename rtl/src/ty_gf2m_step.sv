// One digit of a product, most significant digit first: y = x t^D + a digit, not reduced.
//
// Ports: x and a, M bits, reduced; digit, D bits; y, M + D bits. Latency: none, AND and XOR only.
module ty_gf2m_step #(
    parameter int M = 163,
    parameter int D = 55
) (
    input  logic [M-1:0]   x,
    input  logic [M-1:0]   a,
    input  logic [D-1:0]   digit,
    output logic [M+D-1:0] y
);
  always_comb begin
    y = {x, {D{1'b0}}};
    for (int j = 0; j < D; j++) y ^= ((M + D)'(a) << j) & {(M + D) {digit[j]}};
  end
endmodule
