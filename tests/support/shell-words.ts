/** One command of a document: its words, and the file that `<` gives it. */
export type ShellCommand = { words: string[]; inputFile: string | null }

/**
 * Splits a block of commands as a shell does: quotes, `#` comments, a backslash at the end of a line, `<`, and `$NAME`
 * from `variables`, read when the command's turn comes. Throws for what it does not know, such as pipes and unknown
 * names, so that nothing is passed over.
 */
export function* shellCommands(
  text: string,
  variables: ReadonlyMap<string, string>,
): Generator<ShellCommand> {
  for (const line of text.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    const command = toCommand(shellWords(line, variables))
    if (command.words.length > 0) yield command
  }
}

function toCommand(all: string[]): ShellCommand {
  const at = all.indexOf('<')
  if (at === -1) return { words: all, inputFile: null }
  return { words: all.toSpliced(at, 2), inputFile: all[at + 1] ?? null }
}

/** A bare word, or one in quotes; what stands behind a `#` is for readers. */
const piece = /\s*(?:(#.*)|"([^"]*)"|'([^']*)'|([^\s"'#][^\s"']*))/y

function shellWords(line: string, variables: ReadonlyMap<string, string>): string[] {
  const words: string[] = []
  const value = (text: string) =>
    text.replaceAll(/\$(\w+)/g, (_, name: string) => {
      const known = variables.get(name)
      if (known === undefined) throw new Error(`Nothing says what $${name} is in: ${line}`)
      return known
    })
  piece.lastIndex = 0
  let end = 0
  while (end < line.trimEnd().length) {
    piece.lastIndex = end
    const match = piece.exec(line)
    if (!match) throw new Error(`This line is not understood: ${line}`)
    end = piece.lastIndex
    const [whole, comment, double, single, bare] = match
    if (comment !== undefined) break
    if (bare !== undefined && bare !== '<' && /[|&;<>()`*]/.test(bare.replace(/^https?:.*/, ''))) {
      throw new Error(`The tests do not know what a shell makes of ${bare} in: ${line}`)
    }
    const text = single ?? value(double ?? bare ?? '')
    // `--name="a b"` is one word.
    if (/^\s/.test(whole) || words.length === 0) words.push(text)
    else words.push(`${words.pop()}${text}`)
  }
  return words
}
