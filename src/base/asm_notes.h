/* For assembly: the last line of every file includes this, whatever the file holds on this machine.
 *
 * Linkers give a program an executable stack unless each of its objects has a note that it needs
 * none. They mark a program as fit for indirect-branch tracking and shadow stacks (CET on x86-64)
 * or for BTI (AArch64) only if each of its objects has a note that it is. That holds for these
 * files: functions begin with ENDBR64 or BTI C, jumps through a register are marked with NOTRACK or
 * go to such a place, and each return goes to where its call was. */
#if defined(__ELF__)
        .section .note.GNU-stack, "", %progbits
#if defined(__x86_64__)
        .section .note.gnu.property, "a", %note
        .balign 8
        .long   4, 16, 5                        // lengths of name and data, NT_GNU_PROPERTY_TYPE_0
        .asciz  "GNU"
        .long   0xc0000002, 4, 3, 0             // GNU_PROPERTY_X86_FEATURE_1_AND: IBT, SHSTK
#elif defined(__aarch64__)
        .section .note.gnu.property, "a", %note
        .balign 8
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000000, 4, 1, 0             // GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI
#endif
#endif
