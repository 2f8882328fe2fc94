// One digit of a product, most significant digit first: y = x t^D + a * digit, not reduced.
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
  function automatic logic [M+D-1:0] times(input logic [M-1:0] v, input logic [D-1:0] by);
    times = '0;
    for (int j = 0; j < D; j++) times ^= ((M + D)'(v) << j) & {(M + D) {by[j]}};
  endfunction

  assign y = {x, {D{1'b0}}} ^ times(a, digit);
endmodule
