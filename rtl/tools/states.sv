// What coverage.py requires of the state machines, as covers: each state and transition of the core
// and of the sequencer, and both outcomes of each kind of branch that the microprogram has. And the
// words of the microprogram that the units execute: of an image of ty_ucode with these parameters.
// verilator lint_off DECLFILENAME
module ty_core_states (
    input logic       clk,
    input logic       rst,
    input logic [4:0] now,     // a bit for each state, LOCKED is the last one
    input logic [4:0] next
);
  localparam int WipeAll = 0, Ready = 1, Run = 2, Wipe = 3, Locked = 4;
  logic illegal;
  assign illegal = now == '0;
  cover property (@(posedge clk) now[WipeAll] && rst);
  cover property (@(posedge clk) now[WipeAll] && !rst && next[WipeAll]);
  cover property (@(posedge clk) now[WipeAll] && !rst && next[Ready]);
  cover property (@(posedge clk) now[Ready] && rst);
  cover property (@(posedge clk) now[Ready] && !rst && next[Ready]);
  cover property (@(posedge clk) now[Ready] && !rst && next[Run]);
  cover property (@(posedge clk) now[Ready] && !rst && next[Wipe]);
  cover property (@(posedge clk) now[Run] && rst);
  cover property (@(posedge clk) now[Run] && !rst && next[Run]);
  cover property (@(posedge clk) now[Run] && !rst && next[Wipe]);
  cover property (@(posedge clk) now[Wipe] && !rst && next[Wipe]);
  cover property (@(posedge clk) now[Wipe] && !rst && next[Ready]);
  cover property (@(posedge clk) illegal && !rst && next[Locked]);
  cover property (@(posedge clk) !illegal && !now[Locked] && !rst && next[Locked]);
  cover property (@(posedge clk) now[Locked] && !rst && next[Locked]);
  cover property (@(posedge clk) now[Locked] && rst);
endmodule

module ty_sequencer_states
  import ty_word_pkg::*;
(
    input logic       clk,
    input logic       rst,
    input logic [2:0] now,     // a bit for each state: IDLE, RUN, LOCKED
    input logic       stop,
    input logic       ended,
    input logic       go,
    input logic       step,
    input logic       waits,   // for a unit
    input logic       pauses,  // for some steps
    input ctl_t       ctl,
    input logic       jump,
    input logic       advance,
    input int         c,
    input int         generic,
    input int         multipliers,
    input int         pc,
    input logic       moves
);
  import "DPI-C" function void ty_word(
    input int c, input int generic, input int multipliers, input int address);
  localparam int Idle = 0, Run = 1, Locked = 2;
  logic [2:0] was_q;
  logic stop_q, ended_q;
  int at_q;
  always_ff @(posedge clk) begin
    if (moves) at_q <= pc;
    // neither in the random state before a reset nor in an illegal one
    if (go && now[Run] && !rst) ty_word(c, generic, multipliers, at_q);
    was_q <= rst ? '0 : now;
    stop_q <= stop;
    ended_q <= ended;
  end
  cover property (@(posedge clk) was_q[Idle] && now[Idle]);
  cover property (@(posedge clk) was_q[Idle] && now[Run]);
  cover property (@(posedge clk) was_q[Run] && now[Run]);
  cover property (@(posedge clk) was_q[Run] && now[Idle] && ended_q && !stop_q);
  cover property (@(posedge clk) was_q[Run] && now[Idle] && stop_q && !ended_q);
  cover property (@(posedge clk) was_q[Run] && now[Locked]);
  cover property (@(posedge clk) was_q[Locked] && now[Locked]);
  cover property (@(posedge clk) now == '0);                       // an illegal state
  cover property (@(posedge clk) now[Locked] && rst);
  cover property (@(posedge clk) now[Run] && rst);
  cover property (@(posedge clk) now[Run] && go && step);
  cover property (@(posedge clk) now[Run] && !step);               // a fold more
  cover property (@(posedge clk) now[Run] && step && waits);
  cover property (@(posedge clk) now[Run] && step && pauses);
  cover property (@(posedge clk) now[Run] && !step && pauses);
  cover property (@(posedge clk) advance && ctl == CTL_NEXT && !jump);
  cover property (@(posedge clk) advance && ctl == CTL_COUNT);
  cover property (@(posedge clk) advance && ctl == CTL_LOOP && jump);
  cover property (@(posedge clk) advance && ctl == CTL_LOOP && !jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP && jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_B1 && jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_B1 && !jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_UNLESS_BIT && jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_UNLESS_BIT && !jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_UNTIL_INV && jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_UNTIL_INV && !jump);
  cover property (@(posedge clk) advance && ctl == CTL_END && jump);
  cover property (@(posedge clk) advance && ctl == CTL_END && !jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_GENERIC && jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_GENERIC && !jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_DIVIDER && jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_DIVIDER && !jump);
  cover property (@(posedge clk) advance && ctl == CTL_EXPONENT);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_UNLESS_SECOND && jump);
  cover property (@(posedge clk) advance && ctl == CTL_JUMP_UNLESS_SECOND && !jump);
endmodule

// Every image that is built is reported, with no address.
module ty_image (
    input int c,
    input int generic,
    input int multipliers
);
  import "DPI-C" function void ty_word(
    input int c, input int generic, input int multipliers, input int address);
  initial ty_word(c, generic, multipliers, -1);
endmodule

bind ty_ucode ty_image image (.c(C), .generic(GENERIC), .multipliers(MULTIPLIERS));

bind ty_core ty_core_states states (
    .clk(clk), .rst(rst),
    .now({state_q == LOCKED, state_q == WIPE, state_q == RUN, state_q == READY,
          state_q == WIPE_ALL}),
    .next({state_next == LOCKED, state_next == WIPE, state_next == RUN, state_next == READY,
           state_next == WIPE_ALL})
);

bind ty_sequencer ty_sequencer_states states (
    .clk(clk), .rst(rst), .now({state_q == LOCKED, state_q == RUN, state_q == IDLE}), .stop(stop),
    .ended(ended), .go(go), .step(step), .waits(hold_q && !units_done), .pauses(delay_q[5]),
    .ctl(branch_q.ctl), .jump(jump), .advance(advance),
    .c(generic ? int'(generic_top) + 1 : ty_field_pkg::product_cycles(int'(field), D)),
    .generic(GENERIC == 0 ? 0 : GENERIC_SQUARER != 0 ? 2 : 1), .multipliers(MULTIPLIERS),
    .pc(int'(pc_q)), .moves(moves)
);
