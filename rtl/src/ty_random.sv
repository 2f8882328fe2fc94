// Collects a random element of the field, not zero, from a stream of 32-bit words.
//
// Ports    in_valid, in_ready, in_data: the stream     valid, taken, element: an element below t^m
//          restart: the words collected so far are dropped
// Latency  ceil(N/32) accepted words and two cycles; an element that is zero is drawn again. Words
//          are collected at any time, and elements are taken between runs, so no run waits for one.
// With RANDOMISE = 0 the element is always 1: this is for known-answer traces, not for use.
module ty_random #(
    parameter int N         = 163,
    parameter bit RANDOMISE = 1
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [N-1:0] mask,
    input  logic         restart,
    input  logic         in_valid,
    output logic         in_ready,
    input  logic [31:0]  in_data,
    output logic         valid,
    input  logic         taken,
    output logic [N-1:0] element
);
  localparam int Words = (N + 31) / 32;
  localparam int Bits = $clog2(Words + 1);

  if (RANDOMISE) begin : g_random
    logic [Words*32-1:0] pool_q;
    logic [Bits-1:0] have_q;
    logic full, judged_q, good_q;           // the element was tested; it is not zero
    assign full = have_q == Bits'(Words);
    assign element = pool_q[N-1:0] & mask;
    assign in_ready = !full;
    assign valid = good_q;
    always_ff @(posedge clk) begin
      if (rst || restart || taken || (judged_q && !good_q)) begin
        have_q <= '0;
        pool_q <= '0;
        judged_q <= 1'b0;
        good_q <= 1'b0;
      end else begin
        judged_q <= full;
        good_q <= full && element != '0;
        if (in_valid && in_ready) begin
          have_q <= have_q + 1'b1;
          pool_q <= (Words * 32)'({pool_q, in_data});
        end
      end
    end
    if (Words * 32 > N) begin : g_spare
      logic unused;
      assign unused = ^pool_q[Words*32-1:N];
    end
  end else begin : g_one
    assign element = mask & ~(mask << 1);   // 1 is the lowest bit of the field's elements
    assign valid = 1'b1;
    assign in_ready = 1'b0;
    logic unused;
    assign unused = &{in_valid, in_data, restart, taken, clk, rst};
  end
endmodule
