import { open } from 'node:fs/promises'
import { AppError, ValidationError } from '@/lib/kernel/errors'

/** Returns the bytes of a file, or of standard input for "-". Throws AppError beyond `maxBytes`. */
export async function readFileOrInput(file: string, maxBytes: number): Promise<Buffer> {
  const stream = file === '-' ? process.stdin : await openFile(file)
  return readAll(stream, maxBytes, `It is larger than ${maxBytes / 1024} KiB.`)
}

/** Returns standard input as UTF-8 of at most `maxBytes`. Throws AppError when it is longer or not text. */
export async function readStandardInput(maxBytes: number): Promise<string> {
  const bytes = await readAll(process.stdin, maxBytes, 'Standard input is too long.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
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

async function readAll(stream: AsyncIterable<Uint8Array>, maxBytes: number, tooLarge: string) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxBytes) throw new AppError('too-large', 413, tooLarge)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function openFile(file: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    const handle = await open(file)
    if ((await handle.stat()).isFile()) return handle.createReadStream()
    await handle.close()
  } catch {
    throw new ValidationError({ file: 'The file cannot be opened. Check its path.' })
  }
  throw new ValidationError({ file: 'This is not a file.' })
}
