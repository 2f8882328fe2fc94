// y = x mod t^M + t^K1 + t^K2 + t^K3 + 1, or t^M + t^K1 + 1 where K2 = 0.
//
// Ports: x, W bits; y, M bits. Latency: none, wires and XOR only.
// A round replaces the whole part above t^M by t^M = t^K1 + ... + 1. It reduces W bits to
// W - (M - K1), so the number of rounds is known.
module ty_gf2m_reduce #(
    parameter int M  = 163,
    parameter int K1 = 7,
    parameter int K2 = 6,
    parameter int K3 = 3,
    parameter int W  = 218
) (
    input  logic [W-1:0] x,
    output logic [M-1:0] y
);
  localparam int Rounds = W <= M ? 0 : (W - M + (M - K1) - 1) / (M - K1);
  localparam int T = W + K1;   // no round reaches further

  function automatic logic [M-1:0] reduced(input logic [W-1:0] wide);
    logic [T-1:0] v, high;
    v = T'(wide);
    for (int i = 0; i < Rounds; i++) begin
      high = v >> M;
      v = T'(v[M-1:0]) ^ high ^ (high << K1);
      if (K2 != 0) v = v ^ (high << K2) ^ (high << K3);
    end
    reduced = v[M-1:0];
  endfunction

  assign y = reduced(x);
endmodule
