// Inverses in GF(2)[t]/M by the algorithm of Brunner, Curiger and Hofstetter: 2m steps for every
// operand.
//
// Ports    load: value is taken     result: valid from done until the next load; 0 for value 0
//          low: t^(N-m), which represents 1     poly: (M - t^m) t^(N-m)     m: degree of M
// Latency  2m + 1 cycles     Throughput: one at a time
//
// Elements are aligned at the top: the coefficient of t^(m-1) is bit N - 1, so that the bits on
// which a step depends have fixed places. R and S are the remainders of Euclid's algorithm, and
// U value = R t^-i, V value = S t^-j modulo M throughout, for some i and j.
module ty_gf2m_inverse #(
    parameter int N = 256
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         load,
    input  logic [N-1:0] value,
    input  logic [N-1:0] poly,
    input  logic [N-1:0] low,
    input  logic [7:0]   m,
    output logic [N-1:0] result,
    output logic         done
);
  logic [N:0] r_q, s_q;
  logic [N-1:0] u_q, v_q, s_less, v_less, u_times, v_times, u_over;
  logic [8:0] left_q, ahead_q;         // ahead: by how many more steps R was shifted than S
  logic u_low, level;

  assign done = left_q == '0;
  assign result = r_q == '0 ? '0 : u_q;
  assign level = ahead_q == '0;

  // U t, V t, U/t modulo M.
  assign s_less = s_q[N-1:0] ^ (s_q[N] ? r_q[N-1:0] : '0);
  assign v_less = v_q ^ (s_q[N] ? u_q : '0);
  assign u_low = |(u_q & low);
  assign u_times = {u_q[N-2:0], 1'b0} ^ (u_q[N-1] ? poly : '0);
  assign v_times = {v_less[N-2:0], 1'b0} ^ (v_less[N-1] ? poly : '0);
  assign u_over = N'({u_low, u_q ^ (u_low ? poly : '0)} >> 1);

  always_ff @(posedge clk) begin
    if (rst) begin
      r_q <= '0;
      s_q <= '0;
      u_q <= '0;
      v_q <= '0;
      left_q <= '0;
      ahead_q <= '0;
    end else if (load) begin
      r_q <= {1'b0, value};
      s_q <= {1'b1, poly};
      u_q <= low;
      v_q <= '0;
      left_q <= {m, 1'b0};
      ahead_q <= '0;
    end else if (!done) begin
      left_q <= left_q - 1'b1;
      if (!r_q[N]) begin
        r_q <= {r_q[N-1:0], 1'b0};
        u_q <= u_times;
        ahead_q <= ahead_q + 1'b1;
      end else if (level) begin
        r_q <= {s_less, 1'b0};
        s_q <= r_q;
        u_q <= v_times;
        v_q <= u_q;
        ahead_q <= 9'd1;
      end else begin
        s_q <= {s_less, 1'b0};
        v_q <= v_less;
        u_q <= u_over;
        ahead_q <= ahead_q - 1'b1;
      end
    end
  end
endmodule
