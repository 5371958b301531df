/** Rules for the arguments of a program. */
export type ProgramRules = {
  /** Allowed first arguments; none: any. */
  subcommands: readonly string[]
  /** Options that are refused wherever they stand: `--exec`, `-c`, and words after one dash as `find` has them (`-exec`). */
  refused: readonly string[]
}

/** Returns the words of a text that names several, separated by spaces, commas or lines. */
export function wordsIn(text: string | null): string[] {
  return (text ?? '').split(/[\s,]+/).filter((word) => word !== '')
}

/** An option as rules name it. */
export const optionPattern = /^--?[A-Za-z0-9][\w-]*$/

/**
 * Returns why a program does not get these arguments, as a sentence that names the rule; null = it gets them. Options are
 * refused in all the ways that programs read them: with a value, shortened, and among other letters after one dash.
 */
export function refusedArgument(
  program: string,
  { subcommands, refused }: ProgramRules,
  args: readonly string[],
): string | null {
  const [first] = args
  if (subcommands.length > 0 && (first === undefined || !subcommands.includes(first))) {
    return `The first argument of ${program} must be one of ${subcommands.join(', ')}.`
  }
  for (const [place, argument] of args.entries()) {
    const option = refused.find((each) => isOption(each, argument))
    if (option !== undefined)
      return `Argument ${place + 1} of ${program} gives ${option}, which is refused.`
  }
  return null
}

/** Returns whether a program may read the argument as this option. It may also be a value that only looks like it. */
function isOption(option: string, argument: string): boolean {
  const [name = ''] = argument.split('=')
  if (option.startsWith('--')) return isShortened(option, name)
  if (option.length > 2) return name === option
  // "-xI", "-Ivalue": among letters after one dash. Words such as "-exec" have the letter, too, and are refused with it.
  return /^-[^-]/.test(argument) && argument.includes(option.slice(1))
}

/** Returns whether a long option is this one, whole or shortened as far as "--e". */
function isShortened(option: string, name: string): boolean {
  return name.length > 2 && option.startsWith(name)
}
