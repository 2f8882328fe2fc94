// y = x^2 modulo the field's polynomial (see ty_gf2m_reduce).
//
// Ports: x, y, M bits. Latency: none, wires and XOR only: squaring is linear.
module ty_gf2m_sqr #(
    parameter int M  = 163,
    parameter int K1 = 7,
    parameter int K2 = 6,
    parameter int K3 = 3
) (
    input  logic [M-1:0] x,
    output logic [M-1:0] y
);
  function automatic logic [2*M-2:0] spread_out(input logic [M-1:0] v);
    spread_out = '0;
    for (int i = 0; i < M; i++) spread_out[2*i] = v[i];
  endfunction

  logic [2*M-2:0] spread;
  assign spread = spread_out(x);
  ty_gf2m_reduce #(.M(M), .K1(K1), .K2(K2), .K3(K3), .W(2 * M - 1)) reduce (.x(spread), .y(y));
endmodule
