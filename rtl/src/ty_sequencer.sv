// Microsequencer: fetches the image of the field's c, counts the ladder's steps and the inversion's
// exponents. Which words follow each other depends on the field, the steps and b = 1 only.
//
// Ports    start: runs from word 0, whose cycle is the next one     stop: ends at once
//          units: what the units do at the end of this cycle; all zero while nothing runs
//          ended: with the last word     illegal: the state can only come from a fault; until reset
//          step: cycles without it do nothing; generic mode has them where a digit takes several folds
// Latency  a word a step; a word with hold waits for units_done
module ty_sequencer
  import ty_field_pkg::*;
  import ty_word_pkg::*;
#(
    parameter int FIELDS           = 4,
    parameter int GENERIC          = 0,
    parameter int GENERIC_SQUARER  = 0,
    parameter int D                = 55,
    parameter int TopBits          = 1
) (
    input  logic       clk,
    input  logic       rst,
    input  logic       start,
    input  logic       stop,
    input  logic [2:0] field,
    input  logic [7:0] steps,
    input  logic       b_is_one,
    input  logic       generic,
    input  logic [7:0] degree,        // m in generic mode
    input  logic [TopBits-1:0] generic_top,    // c - 1 there
    input  logic       divider,       // inverts
    input  logic       step,
    input  logic       units_done,
    output units_t     units,
    output logic [7:0] exponent,
    output logic       ended,
    output logic       illegal
);
  localparam int CMax = 30;

  // Each state is two bits from every other.
  typedef enum logic [2:0] {IDLE = 3'b000, RUN = 3'b011, LOCKED = 3'b101} state_t;
  state_t state_q;

  logic [ADDRESS_BITS-1:0] pc_q, pc_next;
  word_t word_q, fetched;
  logic [7:0] count_q, exponent_q, chain_q, chain_start, less;
  logic [3:0] chain_left_q, chain_left_start;
  logic jump, running, go;

  // --- The images --------------------------------------------------------------------------------
  logic [WORD_BITS-1:0] image[CMax+1];
  assign image[0] = '0;
  for (genvar c = 1; c <= CMax; c++) begin : g_image
    if (takes(FIELDS, GENERIC, D, c)) begin : g_used
      ty_ucode #(.C(c), .GENERIC(GENERIC == 0 || c == 1 ? 0 : GENERIC_SQUARER != 0 ? 2 : 1)) ucode (.addr(pc_next), .word(image[c]));
    end else begin : g_none
      assign image[c] = '0;
    end
  end
  always_comb begin
    fetched = '0;
    for (int c = 2; c <= (GENERIC + D - 1) / D; c++)
      if (generic && generic_top == TopBits'(c - 1)) fetched = image[c];
    for (int i = 0; i < FIELDS_MAX; i++)
      if (((FIELDS >> i) & 1) != 0 && field == 3'(i) && !generic) fetched = image[product_cycles(i, D)];
  end

  assign less = degree - 1'b1;

  // --- m - 1 without its leading 1, from the top of eight bits ------------------------------------
  always_comb begin
    chain_start = '0;
    chain_left_start = '0;
    for (int i = 0; i < FIELDS_MAX; i++)
      if (((FIELDS >> i) & 1) != 0 && field == 3'(i) && !generic) begin
        chain_left_start = 4'($clog2(field_m(i)) - 1);
        chain_start = 8'((field_m(i) - 1) << (9 - $clog2(field_m(i))));
      end
    for (int i = 1; i < 8; i++)
      if (GENERIC != 0 && generic && (less >> i) == 8'd1) begin
        chain_left_start = 4'(i);
        chain_start = less << (8 - i);
      end
  end

  // --- What comes next ----------------------------------------------------------------------------
  assign running = state_q == RUN;
  assign go = running && step && !(word_q.hold && !units_done);
  assign units = go ? word_q.units : '0;
  assign exponent = exponent_q;
  assign ended = go && word_q.ctl == CTL_END;
  assign illegal = state_q != IDLE && state_q != RUN;

  always_comb begin
    case (word_q.ctl)
      CTL_LOOP:            jump = count_q != '0;
      CTL_JUMP:            jump = 1'b1;
      CTL_JUMP_B1:         jump = b_is_one;
      CTL_JUMP_GENERIC:    jump = generic;
      CTL_JUMP_DIVIDER:    jump = divider;
      CTL_JUMP_UNLESS_BIT: jump = !chain_q[7];
      CTL_JUMP_UNTIL_INV:  jump = chain_left_q != 4'd1;
      default:             jump = 1'b0;
    endcase
    if (!running) pc_next = '0;
    else if (!go) pc_next = pc_q;
    else if (jump) pc_next = word_q.target;
    else pc_next = pc_q + 1'b1;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      state_q <= IDLE;
      pc_q <= '0;
      word_q <= '0;
      count_q <= '0;
      exponent_q <= '0;
      chain_q <= '0;
      chain_left_q <= '0;
    end else begin
      pc_q <= pc_next;
      word_q <= fetched;
      case (state_q)
        IDLE: if (start) state_q <= RUN;
        RUN: begin
          if (stop || ended) state_q <= IDLE;
          else if (&pc_q) state_q <= LOCKED;   // no image is that long
        end
        default: state_q <= LOCKED;
      endcase
      if (start) begin
        exponent_q <= 8'd1;
        chain_q <= chain_start;
        chain_left_q <= chain_left_start;
      end else if (go) begin
        if (word_q.expo) exponent_q <= {exponent_q[6:0], chain_q[7]};
        if (word_q.ctl == CTL_JUMP_UNTIL_INV) begin
          chain_q <= {chain_q[6:0], 1'b0};
          chain_left_q <= chain_left_q - 1'b1;
        end
        if (word_q.ctl == CTL_COUNT) count_q <= steps - word_q.target[7:0];
        else if (word_q.ctl == CTL_EXPONENT) count_q <= exponent_q - 1'b1;
        else if (word_q.ctl == CTL_LOOP) count_q <= count_q - 1'b1;
      end
    end
  end
endmodule
