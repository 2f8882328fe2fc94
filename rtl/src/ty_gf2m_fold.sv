// y = low + high poly, x = high t^N + low: the part above t^N is reduced once by t^N = poly.
//
// Ports: x and y, N + D bits; poly, N bits. Latency: none, AND and XOR only. poly is (M - t^m)
// t^(N-m), whose degree is N - (m - k), k the second exponent of M: so a fold removes m - k bits
// above t^N, and all of them where m - k >= D.
module ty_gf2m_fold #(
    parameter int N = 256,
    parameter int D = 64
) (
    input  logic [N+D-1:0] x,
    input  logic [N-1:0]   poly,
    output logic [N+D-1:0] y
);
  function automatic logic [N+D-1:0] times(input logic [N-1:0] v, input logic [D-1:0] by);
    times = '0;
    for (int j = 0; j < D; j++) times ^= ((N + D)'(v) << j) & {(N + D) {by[j]}};
  endfunction

  assign y = {{D{1'b0}}, x[N-1:0]} ^ times(poly, x[N+D-1:N]);
endmodule
