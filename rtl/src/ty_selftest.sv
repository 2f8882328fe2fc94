// Known-answer test: a second host, which drives the core through the same signals. For each field
// that is built in, and for generic mode, it multiplies a point of ty_answers_pkg by a scalar.
//
// Ports    begins: the host has requested the test, and the core is idle
//          stop: the test is aborted; in the next cycle the core gets ABORT
//          active: the test controls the core     sent: the core's input, a cycle later
//          ends, verdict: the last cycle, and the result (ERR_NONE, ERR_FAULT, ERR_RANDOM)
//          the rest are the core's ports of the same names
// Latency  that of the runs, and about 400 cycles for each; 4 cycles for each write or command: it
//          is given in the first of them, and its outcome is examined in the last
//
// Context 3 is overwritten and stays selected. Nothing else is left: the results are wiped.
module ty_selftest
  import ty_field_pkg::*;
  import ty_core_pkg::*;
  import ty_answers_pkg::*;
#(
    parameter int FIELDS  = 4,
    parameter int GENERIC = 0
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        begins,
    input  logic        stop,
    output logic        active,
    output logic        ends,
    output err_t        verdict,
    output host_t       sent,
    output logic [2:0]  read_index,
    input  logic [31:0] data_word,
    input  logic        busy,
    input  logic        result_valid,
    input  logic        error_set,    // two cycles after a write or command: it was refused
    input  err_t        error
);
  localparam int Tests = FIELDS_MAX + 1;     // the last one is generic mode's
  localparam logic [3:0] GenericTest = 4'(FIELDS_MAX);
  function automatic bit built(input int test);
    built = test == FIELDS_MAX ? GENERIC != 0 : ((FIELDS >> test) & 1) != 0;
  endfunction
  // The number of the answers in the table for a test: generic mode uses those of a small field if
  // its largest degree is too small for the others.
  function automatic int answers_of(input int test);
    answers_of = test < FIELDS_MAX ? test : GENERIC >= ANSWERS_DEGREE ? FIELDS_MAX : FIELDS_MAX + 1;
  endfunction

  // The items, in this order; elements have nine parts each, eight words and a PUT.
  localparam logic [3:0] CONTEXT = 0, CONFIG = 1, PUT_A = 2, PUT_ROOT = 4, PUT_X = 6, PUT_Y = 7,
      SCALAR = 8, START = 9, RUN = 10,
      GET_X = 11, GET_Y = 12, WIPE = 13, REST = 14;
  logic [3:0] item_q, item_next;
  logic [3:0] test_q, test_next, part_q;
  logic [1:0] beat_q;
  logic [11:0] tries_q;
  logic [31:0] sum_q, word_q, answer, wanted;
  logic active_q, more, turn, gives, element, gets, last_part, tries_again, commands;
  logic refused_q, no_random_q;       // the core's answer to the last command
  logic stop_q;
  config_t config_now;
  err_t verdict_q;

  assign active = active_q;
  assign verdict = verdict_q;
  assign gives = active_q && beat_q == 2'd0;
  assign turn = active_q && beat_q == 2'd3;
  assign element = item_q >= PUT_A && item_q <= PUT_Y;
  assign gets = item_q == GET_X || item_q == GET_Y;
  assign last_part = element || gets ? part_q == 4'd8 : item_q == SCALAR ? part_q == 4'd7 : 1'b1;

  // --- The table ---------------------------------------------------------------------------------
  always_comb begin
    answer = '0;
    wanted = '0;
    config_now = '0;
    more = 1'b0;
    test_next = '0;
    for (int i = Tests - 1; i > 0; i--)
      if (built(i) && test_q < 4'(i)) begin
        more = 1'b1;
        test_next = 4'(i);
      end
    for (int i = 0; i < Tests; i++)
      if (built(i) && test_q == 4'(i)) begin
        answer = answer_word(answers_of(i), item_q, part_q[2:0]);
        wanted = answer_sum(answers_of(i));
        config_now.steps = answer_degree(answers_of(i));
        config_now.generic = i == FIELDS_MAX;
        config_now.degree = i == FIELDS_MAX ? answer_degree(answers_of(i)) : '0;
        config_now.field = 3'(i);         // 0 for generic mode
      end
  end
  function automatic logic [3:0] first_test(input int fields);
    first_test = GenericTest;
    for (int i = FIELDS_MAX - 1; i >= 0; i--) if (((fields >> i) & 1) != 0) first_test = 4'(i);
  endfunction

  // --- The input of the core ---------------------------------------------------------------------
  assign read_index = part_q[2:0] - 1'b1;
  assign commands = gives && ((element && last_part) || item_q == START || (gets && part_q == '0) ||
      item_q == WIPE);
  always_comb begin
    sent = '0;
    sent.context_we = gives && item_q == CONTEXT;
    sent.context_in = 2'd3;
    sent.config_we = gives && item_q == CONFIG;
    sent.config_in = config_now;
    sent.data_we = gives && element && !last_part;
    sent.key_we = gives && item_q == SCALAR;
    sent.write_index = part_q;
    sent.word_data = answer;
    sent.cmd_valid = commands;
    sent.cmd = CMD_PUT;
    // A, B, ROOT, POLY
    sent.slot = item_q == PUT_X ? SLOT_X : item_q == PUT_Y ? SLOT_Y : item_q + 4'd2;
    if (item_q == START) sent.cmd = CMD_START;
    if (item_q == WIPE) sent.cmd = CMD_ZEROISE;
    if (gets) begin
      sent.cmd = CMD_GET;
      sent.slot = item_q == GET_X ? SLOT_RESULT_X : SLOT_RESULT_Y;
    end
    if (stop_q) begin
      sent = '0;
      sent.cmd_valid = 1'b1;
      sent.cmd = CMD_ABORT;
    end
  end

  // --- The next item -----------------------------------------------------------------------------
  assign tries_again = item_q == START && no_random_q && tries_q != '1;
  assign ends = turn && item_q == REST && !busy && (verdict_q != ERR_NONE || !more);
  always_comb begin
    item_next = item_q + 4'd1;
    if (item_q == PUT_ROOT && test_q != GenericTest) item_next = PUT_X;
    if (item_q == RUN && busy) item_next = RUN;
    if (item_q == REST) item_next = busy ? REST : CONTEXT;
    if (!last_part || tries_again) item_next = item_q;
    else if (refused_q && item_q != WIPE) item_next = WIPE;
    if (item_q == RUN && !busy && !result_valid) item_next = WIPE;
  end

  always_ff @(posedge clk) begin
    stop_q <= !rst && stop;
    word_q <= rst || !active_q ? '0 : data_word;     // the index is there from the first beat on
    active_q <= !rst && !stop_q && !ends && (active_q || begins);
    if (!active_q) begin
      item_q <= CONTEXT;
      test_q <= first_test(FIELDS);
      part_q <= '0;
      beat_q <= '0;
      tries_q <= '0;
      refused_q <= 1'b0;
      no_random_q <= 1'b0;
      sum_q <= '0;
      verdict_q <= ERR_NONE;
    end else begin
      beat_q <= beat_q + 1'b1;
      if (beat_q == 2'd2) begin
        refused_q <= error_set;
        no_random_q <= error_set && error == ERR_RANDOM;
      end
      if (turn) begin
        item_q <= item_next;
        part_q <= last_part ? '0 : part_q + 1'b1;
        if (tries_again) tries_q <= tries_q + 1'b1;
        if (gets && part_q != '0) sum_q <= {sum_q[30:0], sum_q[31]} ^ word_q;
        if (item_q == CONTEXT) sum_q <= '0;
        if (item_q == REST && !busy) test_q <= test_next;
        // The first error is kept.
        if (verdict_q == ERR_NONE) begin
          if (refused_q && !tries_again) verdict_q <= no_random_q ? ERR_RANDOM : ERR_FAULT;
          if (item_q == RUN && !busy && !result_valid) verdict_q <= ERR_FAULT;
          if (item_q == WIPE && sum_q != wanted) verdict_q <= ERR_FAULT;
        end
      end
    end
  end
endmodule
