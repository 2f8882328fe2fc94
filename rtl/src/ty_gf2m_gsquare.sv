// Squarer of generic mode with a fold array of its own: result = value^(2^count).
//
// Ports    load: value and count are taken; the operation before must be done
//          step: a digit per cycle in which it is high, as in ty_gf2m_mul
//          result: valid from done until the next load     poly, offset, top: as in ty_gf2m_mul
// Latency  c * count steps, c = ceil(m/D), count at least 1     Throughput: the same
//
// The square of value t^-offset, without its lower digits, is the accumulator after the first
// digit; so a squaring takes c - 1 steps in addition to its load, and the last fold is at the
// output.
module ty_gf2m_gsquare #(
    parameter int D       = 64,
    parameter int N       = 256,
    parameter int TopBits = $clog2(N / D + 1)
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               load,
    input  logic               step,
    input  logic [N-1:0]       value,
    input  logic [7:0]         count,
    input  logic [N-1:0]       poly,
    input  logic [7:0]         offset,    // c D - m
    input  logic [TopBits-1:0] top,       // c - 1
    output logic [N-1:0]       result,
    output logic               done
);
  logic [N+D-1:0] acc_q, folded;
  logic [N-1:0] operand;
  logic [2*N-1:0] square;
  logic [N-D-1:0] rest_q;              // digits to come, the next one on top
  logic [TopBits-1:0] left_q;
  logic [7:0] count_q;
  logic again;

  ty_gf2m_fold #(.N(N), .D(D)) fold (.x(acc_q), .poly(poly), .y(folded));
  assign result = folded[N-1:0];
  assign done = left_q == '0 && count_q <= 8'd1;
  assign again = left_q == '0 && !done;

  function automatic logic [2*N-1:0] spread_out(input logic [N-1:0] v);
    spread_out = '0;
    for (int i = 0; i < N; i++) spread_out[2*i] = v[i];
  endfunction

  assign operand = (load ? value : result) >> offset[7:1];
  assign square = offset[0] ? spread_out(operand) >> 1 : spread_out(operand);

  always_ff @(posedge clk) begin
    if (rst) begin
      acc_q <= '0;
      rest_q <= '0;
      left_q <= '0;
      count_q <= '0;
    end else if (load || (step && again)) begin
      acc_q <= square[2*N-1:N-D];
      rest_q <= square[N-D-1:0];
      left_q <= top;
      count_q <= load ? count : count_q - 1'b1;
    end else if (step && left_q != '0) begin
      acc_q <= {folded[N-1:0], rest_q[N-D-1-:D]};
      rest_q <= rest_q << D;
      left_q <= left_q - 1'b1;
    end else begin
      acc_q <= folded;
    end
  end
endmodule
