import { terminal } from '@/lib/doors/cli/terminal'
import { AppError, ValidationError } from '@/lib/kernel/errors'
import { type Pasted, pastedWords } from '@/lib/words/pasted-text'

/** Returns the bytes of a file, or of standard input for "-". Throws AppError beyond `maxBytes`. */
export function readFileOrInput(file: string, maxBytes: number): Promise<Buffer> {
  return readBytes(file, maxBytes, `It is larger than ${maxBytes / 1024} KiB.`)
}

/** Returns standard input as UTF-8 of at most `maxBytes`. Throws AppError when it is longer or not text. */
export async function readStandardInput(maxBytes: number): Promise<string> {
  const bytes = await readBytes('-', maxBytes, 'Standard input is too long.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ValidationError({ '': 'Standard input is not UTF-8 text.' })
  }
}

/** Returns a secret from standard input, without its line end. Refuses a terminal, where typed text stays visible. */
export async function readSecret(what: string): Promise<string> {
  if (terminal().typed) {
    throw new ValidationError({ '': `Pipe ${what} into this command, for example with < file.` })
  }
  return (await readStandardInput(16_384)).replace(/\r?\n$/, '')
}

/** Reads the key of a provider as `readSecret` does, and says what of the input is not stored. */
export async function readKey(): Promise<string> {
  const text = await readSecret('the API key')
  tellPasted('key', text)
  return text
}

/** Says what of a text is not stored, if anything. */
export function tellPasted(kind: Pasted, text: string | null | undefined): void {
  const notice = pastedWords(kind, text ?? '')
  if (notice !== null) terminal().writeError(`toolgate: ${notice}\n`)
}

async function readBytes(file: string, maxBytes: number, tooLarge: string): Promise<Buffer> {
  const read = await terminal().readFile(file, maxBytes)
  if (read === 'too-large') throw new AppError('too-large', 413, tooLarge)
  if (read === 'not-a-file') throw new ValidationError({ file: 'This is not a file.' })
  if (read === 'unreadable') {
    throw new ValidationError({ file: 'The file cannot be opened. Check its path.' })
  }
  return read
}
