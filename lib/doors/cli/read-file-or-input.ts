import { open } from 'node:fs/promises'
import { AppError, ValidationError } from '@/lib/kernel/errors'

/** Returns the bytes of a file, or of standard input for "-". Throws AppError beyond `maxBytes`. */
export async function readFileOrInput(file: string, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of file === '-' ? process.stdin : await openFile(file)) {
    size += chunk.length
    if (size > maxBytes) {
      throw new AppError('too-large', 413, `It is larger than ${maxBytes / 1024} KiB.`)
    }
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
