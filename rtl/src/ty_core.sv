// Point multiplication kP, and addition of kP to the last result, on curves over the fields of a
// set and, where GENERIC is not 0, over any other field of degree up to GENERIC. There are a host
// port and a random port.
//
// Ports
//   data_*, key_*    words of the staging register and of the scalar; ignored while busy. A word of
//                    the scalar that has another source than those before drops them
//   cmd_*            a command and its slot, for one cycle. Between any two commands there have to
//                    be three cycles, in which the conditions for a command are computed
//   busy             a run or a wipe is in progress
//   ready            a START would be accepted, and an ADD where there is a result
//   error, error_set an error, in the cycle in which it arises
//   done             a run has ended, in the cycle in which its outcome can be seen
// Latency  START to done: `cycles`, the same for every scalar and point of a context; ADD to done:
//          longer, by the same number of cycles for all of them, but as long as a START where the
//          last result is infinity
// Throughput: one kP at a time.
//
// Every operand is wiped before done; there is a result only if P and the result are on the curve,
// and only until the context or its curve changes.
//
// In a generic context the curve memory holds M, too, and all elements are aligned at the top of
// the registers. Each has one representation there, so that sums, tests and the ladder do not
// depend on the degree.
module ty_core
  import ty_field_pkg::*;
  import ty_word_pkg::*;
  import ty_core_pkg::*;
#(
    parameter int FIELDS            = 4,    // mask: bit i for field i of ty_field_pkg
    parameter int D                 = 55,   // bits of a digit of the multiplier
    parameter int SQUARINGS         = 1,    // per cycle, in named fields: 1 or 2
    parameter int MULTIPLIERS       = 1,    // 1 or, without generic mode, 2
    // the largest degree of generic mode, above D; 0: there is none
    parameter int GENERIC           = 0,
    parameter int GENERIC_SQUARER   = 0,    // 1: its squarings have a unit, 0: they are products
    // inverts: 0 never, 1 in generic mode, 2 in named fields, too
    parameter int DIVIDER           = 0,
    parameter int BLIND             = 0,    // words by which scalars may be longer, 0 to 2
    // 0: coordinates are not randomised, START does not wait
    parameter bit RANDOMISE         = 1,
    parameter bit CHECK_POINT       = 1,    // 0: the host has to know that P is on the curve
    // 1: the key bit chooses a register's address, else a multiplexer
    parameter bit SELECT_BY_ADDRESS = 0,
    parameter bit SELF_TEST         = 0,    // 1: SELFTEST is accepted; ty_selftest executes it
    parameter int N                 = width(FIELDS, GENERIC, D)
) (
    input  logic        clk,
    input  logic        rst,
    // host
    input  logic        data_we,
    input  logic        key_we,
    input  logic        key_manager,  // the word of the scalar is the key manager's
    input  logic [3:0]  write_index,
    input  logic [2:0]  read_index,
    input  logic [31:0] word_data,
    output logic [31:0] data_word,
    input  logic        context_we,
    input  logic [1:0]  context_in,
    output logic [1:0]  context_now,
    input  logic        config_we,
    input  config_t     config_in,
    output config_t     config_now,
    output logic        slow,
    input  logic        cmd_valid,
    input  logic [3:0]  cmd,
    input  logic [3:0]  slot,
    output logic        busy,
    output logic        ready,
    output logic        done,
    output logic        result_valid,
    output logic        infinite,
    output logic        random_ready,
    output logic        locked,
    output logic        error_set,
    output err_t        error,
    output logic [31:0] cycles,
    // random port
    input  logic        random_valid,
    output logic        random_take,
    input  logic [31:0] random_data
);
  localparam int Words = GENERIC != 0 ? 8 : (N + 31) / 32;
  localparam int DataBits = 32 * Words;
  localparam int Digits = (N + D - 1) / D;
  localparam int TopBits = $clog2(Digits + 1);
  localparam int KeyWords = 8 + BLIND;
  localparam int KeyBits = 32 * KeyWords;

`ifndef __ICARUS__                  // which cannot parse an elaboration-time $error
  if (MULTIPLIERS != 1 && (MULTIPLIERS != 2 || GENERIC != 0)) begin : g_refused
    $error("ty_core: MULTIPLIERS is 1 or, where GENERIC is 0, 2");
  end
  if (GENERIC != 0 && (GENERIC <= D || GENERIC > 255 || N > 256)) begin : g_generic_refused
    $error("ty_core: GENERIC is more than D, at most 255, and whole digits of D bits fit 256 bits");
  end
  if (FIELDS == 0 && GENERIC == 0) begin : g_no_field
    $error("ty_core: there is no field: FIELDS and GENERIC are both 0");
  end
  if (SQUARINGS < 1 || SQUARINGS > 2 || BLIND < 0 || BLIND > 2 || DIVIDER < 0 || DIVIDER > 2)
  begin : g_out_of_range
    $error("ty_core: SQUARINGS is 1 or 2, BLIND and DIVIDER are 0, 1 or 2");
  end
`endif

  // Any two states differ in at least two bits.
  typedef enum logic [3:0] {
    WIPE_ALL = 4'b0000, READY = 4'b0011, RUN = 4'b0101, WIPE = 4'b0110, LOCKED = 4'b1001
  } state_t;
  state_t state_q, state_next;

  // --- Contexts ----------------------------------------------------------------------------------
  logic [1:0] context_q;
  config_t    config_q[4];
  logic [3:0] loaded_q[4];          // a, b, root, M
  logic       b_is_one_q[4];
  logic [7:0] gap_q[4];             // m - k, or D where that is less
  logic [3:0] loaded;
  logic       degree_good, built;
  // Values of the selected context, a cycle late, so that no path includes the choice among four.
  logic [2:0]   field;
  logic [8:0]   steps_q;            // including those for the blinding of the scalar
  logic [7:0]   degree, gap_now_q;
  logic [1:0]   blind_q;
  logic         context_good_q, b_is_one_now_q, generic, generic_q;
  logic [N-1:0] mask_q, low;        // bits of an element of the field, and of 1
  // bits of a scalar's last word that the ladder does not use
  logic [31:0]  spare_q;
  // generic mode: c - 1, at least 1, and how far c digits reach beyond m
  logic [TopBits-1:0] top_q;
  logic [7:0]   offset_q;
  assign config_now = config_q[context_q];
  assign context_now = context_q;
  assign generic = GENERIC != 0 && generic_q;
  assign slow = generic && gap_now_q < 8'(D);
  // 0 where the field is not built in
  function automatic logic [N-1:0] mask_of(input logic [2:0] number);
    mask_of = '0;
    for (int i = 0; i < FIELDS_MAX; i++)
      if (((FIELDS >> i) & 1) != 0 && number == 3'(i)) mask_of = ~({N{1'b1}} << field_m(i));
  endfunction
  assign loaded = loaded_q[context_q];
  // the difference is not below zero
  assign degree_good = config_now.degree > 8'd2 && 9'(GENERIC) - 9'(config_now.degree) < 9'd256;
  assign built = config_now.generic ? GENERIC != 0 && degree_good && loaded[3] :
      8'(FIELDS >> config_now.field) % 2 == 1;
  function automatic logic [TopBits-1:0] top_of(input logic [7:0] m);
    top_of = TopBits'(1);
    for (int i = 2; i < Digits; i++) if (9'(m) > 9'(i * D)) top_of = TopBits'(i);
  endfunction
  assign low = generic ? mask_q & ~(mask_q << 1) : N'(1);
  always_ff @(posedge clk) begin
    if (rst) begin
      field <= '0;
      degree <= '0;
      blind_q <= '0;
      generic_q <= 1'b0;
      steps_q <= '0;
      gap_now_q <= '0;
      context_good_q <= 1'b0;
      b_is_one_now_q <= 1'b0;
      mask_q <= '0;
      spare_q <= '0;
      top_q <= '0;
      offset_q <= '0;
    end else begin
      field <= config_now.field;
      degree <= config_now.degree;
      blind_q <= config_now.blind;
      generic_q <= config_now.generic;
      steps_q <= 9'(config_now.steps) + (BLIND == 0 ? 9'd0 : {2'd0, config_now.blind, 5'd0});
      gap_now_q <= gap_q[context_q];
      context_good_q <= config_now.steps > 8'd1 && built && &loaded[2:0] &&
          config_now.blind <= 2'(BLIND);
      b_is_one_now_q <= b_is_one_q[context_q];
      mask_q <= !config_now.generic ? mask_of(config_now.field) : GENERIC == 0 ? '0 :
          ~({N{1'b1}} >> config_now.degree);
      for (int i = 0; i < 32; i++) spare_q[i] <= 5'(i) >= config_now.steps[4:0];
      top_q <= top_of(config_now.degree);
      offset_q <= 8'(D * (32'(top_of(config_now.degree)) + 1)) - config_now.degree;
    end
  end

  // --- Host's registers --------------------------------------------------------------------------
  logic [DataBits-1:0] data_q, data_mask, data_one;
  logic [N-1:0] data_element;
  logic [7:0] data_gap_q;
  logic data_shown_q, data_excess_q;
  logic data_wide_q, data_odd_q, data_is_one_q;     // properties of data_q a cycle ago
  logic [KeyBits-1:0] key_q;
  logic [KeyWords-1:0] key_have_q, key_needed;
  logic key_excess_q, key_manager_q;
  logic [1:0] point_have_q;
  logic [31:0] key_spare;           // bits of the word at write_index that the ladder does not use
  logic operands;
  assign data_mask = generic ? DataBits'(mask_q) << (DataBits - N) : DataBits'(mask_q);
  assign data_one = generic ? DataBits'(low) << (DataBits - N) : DataBits'(1);
  assign data_element = generic ? data_q[DataBits-1-:N] : data_q[N-1:0];
  // m - k of M = t^m - rest
  function automatic logic [7:0] gap_of(input logic [DataBits-1:0] rest);
    gap_of = 8'(D);
    for (int i = D - 1; i > 0; i--) if (i <= DataBits && rest[DataBits-i]) gap_of = 8'(i);
  endfunction
  always_ff @(posedge clk) begin
    data_wide_q <= !rst && |(data_q & ~data_mask);
    data_odd_q <= !rst && |(data_q & data_one);
    data_is_one_q <= !rst && data_q == data_one;
    data_gap_q <= rst ? '0 : gap_of(data_q);
  end
  assign operands = &point_have_q && &(key_have_q | ~key_needed);
  always_comb begin
    for (int i = 0; i < KeyWords; i++) key_needed[i] = i < 8 || 2'(i - 8) < blind_q;
    key_spare = write_index > steps_q[8:5] ? '1 : write_index == steps_q[8:5] ? spare_q : '0;
    data_word = '0;
    for (int i = 0; i < Words; i++)
      if (read_index == 3'(i) && data_shown_q) data_word = data_q[32*i+:32];
  end

  // --- Commands ----------------------------------------------------------------------------------
  logic lambda_q, mu_q;             // the random elements are in their registers
  logic idle, may_start, start, put, get, abort, zeroise;
  logic complete_q, start_q;        // what START needs was there in the cycle before
  logic slot_point, slot_curve, slot_result;
  err_t refused, why_not_q;         // why_not_q: the error of START if something was missing
  assign idle = state_q == READY;
  assign slot_point = slot == SLOT_X || slot == SLOT_Y;
  assign slot_curve = slot == SLOT_A || slot == SLOT_B || slot == SLOT_ROOT ||
                      (slot == SLOT_POLY && generic);
  assign slot_result = slot == SLOT_RESULT_X || slot == SLOT_RESULT_Y;
  always_comb begin
    refused = ERR_NONE;
    if (locked) begin
      if (cmd_valid || data_we || key_we || context_we || config_we) refused = ERR_LOCKED;
    end else if (!idle) begin
      if ((cmd_valid && cmd != CMD_ABORT) || data_we || key_we || context_we || config_we)
        refused = ERR_BUSY;
    end else if (cmd_valid) begin
      case (cmd)
        CMD_START, CMD_ADD:
          if (!complete_q) refused = why_not_q;
          else if (cmd == CMD_ADD && !result_valid) refused = ERR_RESULT;
        CMD_PUT:
          if (!slot_point && !slot_curve) refused = ERR_COMMAND;
          else if (data_excess_q || data_wide_q) refused = ERR_RANGE;
          else if (slot == SLOT_POLY && !data_odd_q) refused = ERR_RANGE;     // t would divide M
        CMD_GET:
          if (!slot_result) refused = ERR_COMMAND;
          else if (!result_valid) refused = ERR_RESULT;
        CMD_ZEROISE, CMD_ABORT: ;
        CMD_SELFTEST: if (!SELF_TEST) refused = ERR_COMMAND;
        default: refused = ERR_COMMAND;
      endcase
    end
  end
  // The same conditions as those of `refused`, without the choice of an error.
  assign may_start = cmd_valid && (cmd == CMD_START || cmd == CMD_ADD);
  assign start = idle && may_start && complete_q && (cmd == CMD_START || result_valid);
  assign put = idle && cmd_valid && cmd == CMD_PUT && (slot_point || slot_curve) &&
      !data_excess_q && !data_wide_q &&
               (slot != SLOT_POLY || data_odd_q);
  assign get = idle && cmd_valid && cmd == CMD_GET && slot_result && result_valid;
  assign zeroise = idle && cmd_valid && cmd == CMD_ZEROISE;
  assign abort = !locked && cmd_valid && cmd == CMD_ABORT;
  assign ready = idle && context_good_q && random_ready;

  // The effect of commands on the registers, a cycle later.
  logic put_q, put_over_q;          // put_over_q: a PUT was accepted or refused
  logic get_q, run_q, wiping_q;     // the last two: of the state
  logic [4:0] host_address_q;
  always_ff @(posedge clk) begin
    complete_q <= !rst && context_good_q && !key_excess_q && operands && random_ready;
    why_not_q <= rst || !context_good_q ? ERR_CONTEXT : key_excess_q ? ERR_SCALAR :
        !operands ? ERR_OPERAND : ERR_RANDOM;
    start_q <= !rst && start;
    put_q <= !rst && put;
    put_over_q <= !rst && idle && cmd_valid && cmd == CMD_PUT;
    get_q <= !rst && get;
    run_q <= !rst && state_next == RUN;
    wiping_q <= rst || (state_next != RUN && state_next != READY);
    if (!put) host_address_q <= lambda_q ? 5'd5 : 5'd2;
    else host_address_q <= slot_curve ? {1'b1, context_q, slot[1:0]} : {1'b0, slot};
  end

  // --- Sequencer and units -----------------------------------------------------------------------
  units_t word, next_word;
  // go: the word is executed at the end of this cycle; moves: the next word follows
  logic go, moves;
  logic first, ended, illegal, squarer_done, other_done, inverse_done, step, divides;
  logic [7:0] exponent, squarings;
  // Where DIVIDER is 2, Verilator 5.032 sees a combinational loop through the divider: it has none.
  logic [N-1:0] kept_a, kept_b, read_a, read_b,
      // verilator lint_off UNOPTFLAT
      made,
      // verilator lint_on UNOPTFLAT
      write_data, product, squared, value, element, other, poly_q;
  logic [7:0] folds_q;
  // of the next word; _q: of the word that is executed
  logic choice, takes_a, takes_b, past_a, past_a_q;
  logic from_a_q, from_b_q, from_made_q;
  // which of three units the word uses, and whether it writes
  logic sums_q, other_q, divides_q, writes_q, to_squarer, to_other, to_divider;
  logic [4:0] read_address_a, read_address_b, write_address;
  logic write, unit_rst, element_valid, element_goes, element_goes_q;
  logic [31:0] key_word_q;          // the word of the scalar with the next bit
  logic bit_q, before_q, coming_q, offcurve_q, infinite_q, negated_q, fault_q, squared_zero, zero_q;
  test_t test_q;                    // of the word before; zero_q: whether its result was zero
  logic [8:0] key_index_q;
  logic [4:0] wipe_q;
  logic ran_q;                      // a run or its wipe
  logic adds_q;                     // the run adds kP to the last result, which is not infinity
  assign unit_rst = rst || state_q == WIPE || state_q == WIPE_ALL || state_q == LOCKED;

  // Between runs: a coordinate of the result in the cycle of GET, else M.
  logic [4:0] idle_ra;
  assign idle_ra = cmd_valid && cmd == CMD_GET ? {4'b0111, slot[0]} : 5'b10011;

  ty_sequencer #(
      .FIELDS(FIELDS), .GENERIC(GENERIC), .GENERIC_SQUARER(GENERIC_SQUARER),
      .MULTIPLIERS(MULTIPLIERS), .D(D), .TopBits(TopBits)
  ) sequencer (
      .clk(clk), .rst(rst), .start(start), .may_start(may_start), .stop(abort), .field(field),
      .steps(steps_q), .b_is_one(b_is_one_now_q), .generic(generic), .degree(degree),
      .generic_top(top_q), .divider(divides), .sums(adds_q), .step(step),
      .units_done(squarer_done && other_done && inverse_done), .idle_ra(idle_ra), .units(word),
      .go(go), .next(next_word), .moves(moves), .exponent(exponent), .first(first), .ended(ended),
      .illegal(illegal)
  );

  // The address in the register file: the curve's values are in the row of the context.
  function automatic logic [4:0] place(input logic [4:0] address, input logic [1:0] index);
    place = address[4] ? {1'b1, index, address[1:0]} : address;
  endfunction
  logic unused;                     // fields that are used in another cycle
  assign unused = ^{word, next_word};
  // The sources of a word's operands, and whether it writes, are decided while the word before it
  // is executed, so that only registers control the data path. The flags are valid by then: a word
  // that selects by a flag comes four steps after the test at the earliest, and has no delay.
  always_comb begin
    case (next_word.cond)
      C_KEY:      choice = word.key ? coming_q ^ bit_q : bit_q ^ before_q;
      C_LAST:     choice = word.key ? coming_q : bit_q;
      C_INFINITE: choice = infinite_q;
      C_NEGATED:  choice = negated_q;
      default:    choice = 1'b0;
    endcase
    choice = choice && next_word.sop == S_SEL;
    takes_a = SELECT_BY_ADDRESS || !choice;
    takes_b = next_word.sop == S_XOR || (!SELECT_BY_ADDRESS && choice);
    past_a = SELECT_BY_ADDRESS && choice ? next_word.fb : next_word.fa;
  end
  always_ff @(posedge clk) begin
    if (unit_rst) begin
      past_a_q <= 1'b0;
      from_a_q <= 1'b0;
      from_b_q <= 1'b0;
      from_made_q <= 1'b0;
      sums_q <= 1'b0;
      other_q <= 1'b0;
      divides_q <= 1'b0;
      writes_q <= 1'b0;
    end else if (moves) begin
      past_a_q <= past_a;
      from_a_q <= takes_a && !past_a;
      from_b_q <= takes_b && !next_word.fb;
      divides_q <= next_word.sop != S_NONE && next_word.cnt == 2'd3;
      other_q <= next_word.sop != S_NONE && ^next_word.cnt && GENERIC_SQUARER != 0 && generic;
      sums_q <= next_word.sop != S_NONE && next_word.cnt != 2'd3 && !(^next_word.cnt &&
          GENERIC_SQUARER != 0 && generic);
      // The first part of a sum does not overwrite the last result.
      writes_q <= (next_word.w != W_NONE || next_word.add2) && !(first && &next_word.wa[3:1]);
      from_made_q <= (takes_a && past_a) ^ (takes_b && next_word.fb);
    end
    if (rst) begin
      read_address_a <= '0;
      read_address_b <= '0;
    end else if (moves) begin
      read_address_a <= place(SELECT_BY_ADDRESS && choice ? next_word.rb : next_word.ra, context_q);
      read_address_b <= place(next_word.rb, context_q);
    end
  end
  // A value that a word both writes and reads bypasses the register file (fa, fb). It arrives last,
  // so all other terms are added before it.
  assign read_a = past_a_q ? made : kept_a;
  assign read_b = word.fb ? made : kept_b;
  assign value = (kept_a & {N{from_a_q}}) ^ (kept_b & {N{from_b_q}}) ^ (made & {N{from_made_q}});
  assign squarings = word.cnt == 2'd2 ? exponent : {7'd0, word.cnt[0]};
  assign to_divider = go && divides_q;
  assign to_other = go && other_q;
  assign to_squarer = go && sums_q;

  // A step takes as many cycles as a digit of D bits takes folds, each of m - k bits.
  assign step = !generic || 9'(folds_q) + 9'(gap_now_q) >= 9'(D);
  always_ff @(posedge clk) begin
    if (rst || state_q != RUN || step) folds_q <= '0;
    else folds_q <= folds_q + gap_now_q;
  end

  ty_gf2m_mul #(
      .FIELDS(FIELDS), .GENERIC(GENERIC), .D(D), .N(N), .TopBits(TopBits)
  ) multiplier (
      .clk(clk), .rst(unit_rst), .field(field), .load(go && word.mul), .a(read_a), .b(read_b),
      .generic(generic), .step(step), .poly(poly_q), .offset(offset_q), .generic_top(top_q),
      .product(product)
  );

  // With two multipliers a word can write the sum of their products.
  if (MULTIPLIERS == 2) begin : g_two
    logic [N-1:0] product2;
    ty_gf2m_mul #(
        .FIELDS(FIELDS), .GENERIC(GENERIC), .D(D), .N(N), .TopBits(TopBits)
    ) multiplier2 (
        .clk(clk), .rst(unit_rst), .field(field), .load(go && word.mul2), .a(read_a), .b(read_b),
        .generic(generic), .step(step), .poly(poly_q), .offset(offset_q), .generic_top(top_q),
        .product(product2)
    );
    assign made = (product & {N{word.w == W_MUL}}) ^ (product2 & {N{word.add2}}) ^
        (other & {N{word.w == W_OTHER}}) ^ (squared & {N{word.w == W_SQR}});
  end else begin : g_one
    assign made = word.w == W_MUL ? product : word.w == W_OTHER ? other : squared;
  end

  ty_other #(
      .FIELDS(FIELDS), .GENERIC(GENERIC), .GENERIC_SQUARER(GENERIC_SQUARER), .DIVIDER(DIVIDER),
      .D(D), .N(N), .TopBits(TopBits)
  ) others (
      .clk(clk), .rst(unit_rst), .field(field), .generic(generic), .degree(degree), .poly(poly_q),
      .low(low), .offset(offset_q), .top(top_q), .step(step), .divide(to_divider),
      .square(to_other), .value(value), .count(squarings), .divides(divides), .result(other),
      .divided(inverse_done), .squared(other_done)
  );

  ty_gf2m_square #(
      .FIELDS(FIELDS), .PER_CYCLE(SQUARINGS), .N(N)
  ) squarer (
      .clk(clk), .rst(unit_rst), .field(field), .load(to_squarer), .value(value), .count(squarings),
      .result(squared), .zero(squared_zero), .done(squarer_done)
  );

  ty_random #(
      .N(N), .RANDOMISE(RANDOMISE)
  ) random (
      .clk(clk), .rst(rst), .mask(mask_q), .restart((idle && (context_we || config_we)) ||
      (wiping_q && !ran_q) || locked),
      .in_valid(random_valid), .in_ready(random_take), .in_data(random_data), .valid(element_valid),
      .taken(element_goes_q), .element(element)
  );
  assign element_goes = idle && element_valid && !element_goes_q && !random_ready && !cmd_valid &&
      !context_we && !config_we;
  always_ff @(posedge clk) element_goes_q <= !rst && element_goes;
  assign random_ready = lambda_q && mu_q;

  // One writer at a time: the program, the host, the random port, or the wipe.
  assign write = wiping_q || put_q || element_goes_q || (go && writes_q);
  assign write_data = (made & {N{run_q}}) | (data_element & {N{put_q}}) |
      (element & {N{element_goes_q}});
  assign write_address = wiping_q ? wipe_q : run_q ? {1'b0, word.wa} : host_address_q;

  ty_regfile #(
      .N(N)
  ) regfile (
      .clk(clk), .we(write), .waddr(write_address), .wdata(write_data), .raddr_a(read_address_a),
      .raddr_b(read_address_b), .rdata_a(kept_a), .rdata_b(kept_b)
  );

  // --- State -------------------------------------------------------------------------------------
  logic wiped, failed, keep_q;      // keep_q: the wipe keeps the result
  logic final_fault, ended_q;       // final_fault: the last word's test, one cycle before fault_q
  logic locks;                      // state_next == LOCKED; it does not depend on commands
  assign failed = (CHECK_POINT && (offcurve_q || (test_q == T_OFFCURVE && !zero_q))) || fault_q ||
      final_fault;
  assign wiped = wipe_q == (state_q == WIPE_ALL ? 5'd31 : keep_q && !abort ? 5'd13 : 5'd15);
  assign busy = !idle;
  assign locked = state_q == LOCKED;
  assign done = state_q == WIPE && wiped && ran_q;
  assign infinite = infinite_q && result_valid;

  always_comb begin
    state_next = state_q;
    case (state_q)
      WIPE_ALL: if (wiped) state_next = READY;
      READY: begin
        if (start) state_next = RUN;
        else if (zeroise || abort) state_next = WIPE;
      end
      RUN: if (abort || ended) state_next = WIPE;
      WIPE: if (wiped) state_next = READY;
      default: ;
    endcase
    if (locks) state_next = LOCKED;
  end
  assign locks = illegal || (state_q != WIPE_ALL && state_q != READY && state_q != RUN &&
      state_q != WIPE);

  assign final_fault = test_q == T_FAULT && !zero_q && !infinite_q;
  always_ff @(posedge clk) begin
    test_q <= rst || !go ? T_NONE : word.test;
    zero_q <= !rst && squared_zero;
    ended_q <= !rst && ended && !abort;
  end
  always_comb begin
    error = refused;
    if (locks && !locked) error = ERR_LOCKED;
    else if (state_q == RUN && abort) error = ERR_ABORTED;
    else if (done && offcurve_q && CHECK_POINT) error = ERR_POINT;
    else if (done && fault_q) error = ERR_FAULT;
  end
  assign error_set = error != ERR_NONE;

  always_ff @(posedge clk) begin
    if (rst) begin
      state_q <= WIPE_ALL;
      wipe_q <= '0;
      ran_q <= 1'b0;
      keep_q <= 1'b0;
      adds_q <= 1'b0;
      context_q <= '0;
      data_q <= '0;
      data_shown_q <= 1'b0;
      data_excess_q <= 1'b0;
      key_q <= '0;
      key_have_q <= '0;
      key_excess_q <= 1'b0;
      key_manager_q <= 1'b0;
      point_have_q <= '0;
      lambda_q <= 1'b0;
      mu_q <= 1'b0;
      result_valid <= 1'b0;
      infinite_q <= 1'b0;
      negated_q <= 1'b0;
      offcurve_q <= 1'b0;
      fault_q <= 1'b0;
      bit_q <= 1'b0;
      before_q <= 1'b0;
      coming_q <= 1'b0;
      key_word_q <= '0;
      key_index_q <= '0;
      cycles <= '0;
      poly_q <= '0;
      for (int i = 0; i < 4; i++) begin
        config_q[i] <= '0;
        gap_q[i] <= '0;
        loaded_q[i] <= '0;
        b_is_one_q[i] <= 1'b0;
      end
    end else begin
      state_q <= state_next;
      wipe_q <= state_q == WIPE || state_q == WIPE_ALL || state_q == LOCKED ? wipe_q + 1'b1 : '0;

      // The host's words.
      if (idle && data_we) begin
        for (int i = 0; i < Words; i++)
          if (write_index == 4'(i)) data_q[32*i+:32] <= word_data;
        if (write_index >= 4'(Words) && word_data != '0) data_excess_q <= 1'b1;
        data_shown_q <= 1'b0;
      end
      if (idle && key_we) begin
        // Who could replace single words of a key manager's scalar would learn the others from the
        // results.
        if (key_manager != key_manager_q) begin
          key_q <= '0;
          key_have_q <= '0;
          key_excess_q <= 1'b0;
        end
        key_manager_q <= key_manager;
        for (int i = 0; i < KeyWords; i++)
          if (write_index == 4'(i)) begin
            key_q[32*i+:32] <= word_data;
            key_have_q[i] <= 1'b1;
          end
        if (|(word_data & key_spare)) key_excess_q <= 1'b1;
      end
      if (idle && context_we) context_q <= context_in;
      if (idle && config_we) begin
        config_q[context_q] <= config_in;
        loaded_q[context_q] <= '0;
      end
      if ((idle && (context_we || config_we)) || (put && slot_curve)) result_valid <= 1'b0;
      if (put_over_q || get_q) data_excess_q <= 1'b0;
      if (put_over_q) data_q <= '0;
      if (put) begin
        if (slot_curve) loaded_q[context_q][slot[1:0]] <= 1'b1;
        else point_have_q[slot[0]] <= 1'b1;
        if (slot == SLOT_B) b_is_one_q[context_q] <= data_is_one_q;
        if (slot == SLOT_POLY) gap_q[context_q] <= data_gap_q;
      end
      if (get_q) begin
        data_q <= generic ? DataBits'(kept_a) << (DataBits - N) : DataBits'(kept_a);
        data_shown_q <= 1'b1;
      end

      // Randomness between runs.
      if (element_goes_q) begin
        lambda_q <= 1'b1;
        mu_q <= lambda_q;
      end

      // A run.
      if (start) begin
        poly_q <= kept_a;
        key_index_q <= steps_q - 1'b1;
        bit_q <= 1'b0;
        before_q <= 1'b0;
        offcurve_q <= 1'b0;
        infinite_q <= 1'b0;
        negated_q <= 1'b0;
        fault_q <= 1'b0;
        result_valid <= 1'b0;
        adds_q <= cmd == CMD_ADD && !infinite_q;
      end
      if (start_q && !adds_q) cycles <= 32'd2;
      else if (ran_q && (state_q == RUN || state_q == WIPE))
        cycles <= cycles + {30'd0, start_q, !start_q};
      // The scalar's bits are used many cycles apart, and each is looked up before it is needed.
      key_word_q <= '0;
      for (int i = 0; i < KeyWords; i++)
        if (key_index_q[8:5] == 4'(i)) key_word_q <= key_q[32*i+:32];
      coming_q <= key_word_q[key_index_q[4:0]];
      if (go && word.key) begin
        before_q <= bit_q;
        bit_q <= coming_q;
        key_index_q <= key_index_q - 1'b1;
      end
      case (test_q)
        T_OFFCURVE: offcurve_q <= offcurve_q || !zero_q;
        T_INFINITE: infinite_q <= zero_q;
        T_NEGATED:  negated_q <= zero_q;
        T_FAULT:    fault_q <= fault_q || final_fault;
        default: ;
      endcase
      if (ended_q) keep_q <= !failed;
      if (start) begin
        ran_q <= 1'b1;
        keep_q <= 1'b0;
      end
      if (abort || zeroise) begin
        ran_q <= 1'b0;
        keep_q <= 1'b0;
      end
      if (state_q == WIPE && wiped) begin
        result_valid <= keep_q;
        ran_q <= 1'b0;
      end

      // A run, an abort or a change of context leaves nothing behind.
      if (state_q == WIPE || state_q == LOCKED || (idle && (context_we || config_we))) begin
        key_q <= '0;
        key_have_q <= '0;
        key_excess_q <= 1'b0;
        point_have_q <= '0;
        bit_q <= 1'b0;
        before_q <= 1'b0;
        coming_q <= 1'b0;
        key_word_q <= '0;
        lambda_q <= 1'b0;
        mu_q <= 1'b0;
        adds_q <= 1'b0;
      end
      if (state_q == WIPE || state_q == LOCKED || start_q) begin
        data_q <= '0;
        data_excess_q <= 1'b0;
      end
      if (state_q == WIPE || state_q == LOCKED || zeroise || (idle && abort) || start)
        data_shown_q <= 1'b0;
    end
  end
endmodule
