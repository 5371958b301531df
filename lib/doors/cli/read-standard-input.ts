import { AppError, ValidationError } from '@/lib/kernel/errors'

/** Returns standard input as UTF-8 of at most `maxBytes`. Throws AppError when it is longer or not text. */
export async function readStandardInput(maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    size += chunk.length
    if (size > maxBytes) throw new AppError('too-large', 413, 'Standard input is too long.')
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new ValidationError({ '': 'Standard input is not UTF-8 text.' })
  }
}

/** Returns a secret from standard input, without its line end. Refuses a terminal, where typed text stays visible. */
export async function readSecret(what: string): Promise<string> {
  if (process.stdin.isTTY) {
    throw new ValidationError({ '': `Pipe ${what} into this command, for example with < file.` })
  }
  return (await readStandardInput(16_384)).replace(/\r?\n$/, '')
}
