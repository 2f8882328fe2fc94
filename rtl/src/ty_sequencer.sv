// Microsequencer: fetches the program's words, counts the ladder's steps and computes the
// inversion's exponents. Which words follow each other depends only on the field, the steps, b = 1,
// the divider and sums.
//
// Ports    start: runs from word 0, which is executed in the next cycle     stop: ends at once
//          units: what the units do at the end of this cycle, if go is high; else they do nothing
//          ended: high with the last word     illegal: high, until reset, after a state that only
//          a fault can cause
//          step: nothing happens in a cycle in which it is low; generic mode has such cycles
//          where a digit takes several folds
//          may_start: start may be high in this cycle
//          next, moves: the value of units in the next cycle, and whether it changes
//          sums: this run adds kP to the last result, in a second part
//          first: the next word is in the first part of a sum
//          idle_ra: the register that is read as A while nothing runs; the other fields of units
//          are then those of word 0, which is not executed
//          the inputs that describe the context have to be stable for two cycles before start
// Latency  a word per step; a word with a delay first waits for as many steps, and one with hold
//          until units_done
//
// There are two words in the pipeline: the units execute one, while the branch of the next one is
// decided. The branch fields are read at both addresses that can follow, so that the decision only
// selects one of them.
module ty_sequencer
  import ty_field_pkg::*;
  import ty_word_pkg::*;
#(
    parameter int FIELDS           = 4,
    parameter int GENERIC          = 0,
    parameter int GENERIC_SQUARER  = 0,
    parameter int MULTIPLIERS      = 1,
    parameter int D                = 55,
    parameter int TopBits          = 1
) (
    input  logic       clk,
    input  logic       rst,
    input  logic       start,
    input  logic       may_start,
    input  logic       stop,
    input  logic [2:0] field,
    input  logic [8:0] steps,
    input  logic       b_is_one,
    input  logic       generic,
    input  logic [7:0] degree,        // m in generic mode
    input  logic [TopBits-1:0] generic_top,    // c - 1, c = ceil(m/D)
    input  logic       divider,       // the divider inverts
    input  logic       sums,
    input  logic       step,
    input  logic       units_done,
    input  logic [4:0] idle_ra,
    output units_t     units,
    output logic       go,
    output units_t     next,
    output logic       moves,
    output logic [7:0] exponent,
    output logic       first,
    output logic       ended,
    output logic       illegal
);
  // Any two states differ in at least two bits.
  typedef enum logic [2:0] {IDLE = 3'b000, RUN = 3'b011, LOCKED = 3'b101} state_t;
  state_t state_q;

  typedef struct packed {
    logic [ADDRESS_BITS-1:0] target;
    ctl_t                    ctl;
    logic                    expo;
  } branch_t;

  logic [ADDRESS_BITS-1:0] pc_q, next_q, pc_next;    // next_q = pc_q + 1
  branch_t branch_q;                  // of the word at pc_q, which is executed next
  units_t units_q;                    // of the word that is executed
  logic hold_q, last_q;
  logic [5:0] delay_q;                // minus the steps that the word still waits for
  logic second_q;
  logic [8:0] count_q;
  logic [7:0] exponent_q, exponent_now_q, chain_q, chain_start, less;
  logic [3:0] chain_left_q, chain_left_start;
  logic more_q;                       // count_q is not 0
  logic jump, running, advance;

  // --- The program -------------------------------------------------------------------------------
  word_t here, following, elsewhere, word0;
  function automatic branch_t branch(input logic [ADDRESS_BITS-1:0] target, input ctl_t ctl,
      input logic expo);
    branch.target = target;
    branch.ctl = ctl;
    branch.expo = expo;
  endfunction
  ty_program #(
      .FIELDS(FIELDS), .GENERIC(GENERIC), .GENERIC_SQUARER(GENERIC_SQUARER),
      .MULTIPLIERS(MULTIPLIERS), .D(D), .TopBits(TopBits)
  ) program_here (
      .field(field), .generic(generic), .generic_top(generic_top), .addr(pc_q), .word(here)
  );
  ty_program #(
      .FIELDS(FIELDS), .GENERIC(GENERIC), .GENERIC_SQUARER(GENERIC_SQUARER),
      .MULTIPLIERS(MULTIPLIERS), .D(D), .TopBits(TopBits)
  ) program_following (
      .field(field), .generic(generic), .generic_top(generic_top), .addr(next_q), .word(following)
  );
  ty_program #(
      .FIELDS(FIELDS), .GENERIC(GENERIC), .GENERIC_SQUARER(GENERIC_SQUARER),
      .MULTIPLIERS(MULTIPLIERS), .D(D), .TopBits(TopBits)
  ) program_elsewhere (
      .field(field), .generic(generic), .generic_top(generic_top), .addr(branch_q.target),
      .word(elsewhere)
  );
  ty_program #(
      .FIELDS(FIELDS), .GENERIC(GENERIC), .GENERIC_SQUARER(GENERIC_SQUARER),
      .MULTIPLIERS(MULTIPLIERS), .D(D), .TopBits(TopBits)
  ) program_first (
      .field(field), .generic(generic), .generic_top(generic_top), .addr('0), .word(word0)
  );
  logic unused;
  assign unused = ^{here, following, elsewhere, word0};

  // --- m - 1 without its leading 1, from the top of eight bits -----------------------------------
  assign less = degree - 1'b1;
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

  // --- The next word -----------------------------------------------------------------------------
  assign running = state_q[1];    // RUN, or an illegal state, in which the core locks itself
  assign go = running && step && !delay_q[5] && !(hold_q && !units_done);
  assign advance = go || (start && !running);
  assign units = units_q;
  assign moves = go || !running;
  assign exponent = exponent_now_q;
  assign first = sums && !second_q;
  assign ended = go && last_q;
  assign illegal = state_q != IDLE && state_q != RUN;

  // Assigned once: while an error is set, Icarus Verilog 11 would evaluate a block that assigns
  // here.units and then ra, and the block of `refused` in ty_core, alternately and for ever.
  function automatic units_t reading(input units_t word, input logic [4:0] ra);
    reading = word;
    reading.ra = ra;
  endfunction
  assign next = reading(here.units, running || may_start ? here.units.ra : idle_ra);
  always_comb begin
    case (branch_q.ctl)
      CTL_LOOP:            jump = more_q;
      CTL_JUMP:            jump = 1'b1;
      CTL_JUMP_B1:         jump = b_is_one;
      CTL_JUMP_GENERIC:    jump = generic;
      CTL_JUMP_DIVIDER:    jump = divider;
      CTL_JUMP_UNLESS_BIT: jump = !chain_q[7];
      CTL_JUMP_UNTIL_INV:  jump = chain_left_q != 4'd1;
      CTL_JUMP_UNLESS_SECOND: jump = !second_q;
      CTL_END:             jump = first;
      default:             jump = 1'b0;
    endcase
    pc_next = jump ? branch_q.target : next_q;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      state_q <= IDLE;
      pc_q <= '0;
      next_q <= '0;
      branch_q <= '0;
      units_q <= '0;
      hold_q <= 1'b0;
      delay_q <= '0;
      last_q <= 1'b0;
      second_q <= 1'b0;
      count_q <= '0;
      more_q <= 1'b0;
      exponent_q <= '0;
      exponent_now_q <= '0;
      chain_q <= '0;
      chain_left_q <= '0;
    end else begin
      case (state_q)
        IDLE: if (start) state_q <= RUN;
        RUN: begin
          if (stop || ended) state_q <= IDLE;
          else if (&pc_q) state_q <= LOCKED;   // no image is that long
        end
        default: state_q <= LOCKED;
      endcase
      if (moves) begin
        units_q <= next;
        hold_q <= here.hold;
        last_q <= here.ctl == CTL_END && !first;
        delay_q <= here.delay;
      end else if (delay_q[5] && step) begin
        delay_q <= delay_q + 1'b1;
      end
      if (advance) begin
        pc_q <= pc_next;
        // This is pc_next + 1, but no sum follows the decision of the jump.
        next_q <= jump ? branch_q.target + 1'b1 : next_q + 1'b1;
        branch_q <= jump ? branch(elsewhere.target, elsewhere.ctl, elsewhere.expo)
                         : branch(following.target, following.ctl, following.expo);
        exponent_now_q <= exponent_q;
        if (branch_q.expo) exponent_q <= {exponent_q[6:0], chain_q[7]};
        if (branch_q.ctl == CTL_JUMP_UNTIL_INV) begin
          chain_q <= {chain_q[6:0], 1'b0};
          chain_left_q <= chain_left_q - 1'b1;
        end
        if (branch_q.ctl == CTL_END && first) begin
          second_q <= 1'b1;
          exponent_q <= 8'd1;
          chain_q <= chain_start;
          chain_left_q <= chain_left_start;
        end
        if (branch_q.ctl == CTL_COUNT) begin
          count_q <= steps - 9'(branch_q.target[7:0]);
          more_q <= steps != 9'(branch_q.target[7:0]);
        end else if (branch_q.ctl == CTL_EXPONENT) begin
          count_q <= 9'(exponent_q) - 1'b1;
          more_q <= exponent_q != 8'd1;
        end else if (branch_q.ctl == CTL_LOOP) begin
          count_q <= count_q - 1'b1;
          more_q <= count_q != 9'd1;
        end
      end else if (!running) begin
        pc_q <= '0;
        next_q <= ADDRESS_BITS'(1);
        branch_q <= branch(word0.target, word0.ctl, word0.expo);
        second_q <= 1'b0;
        exponent_q <= 8'd1;
        chain_q <= chain_start;
        chain_left_q <= chain_left_start;
      end
    end
  end
endmodule
