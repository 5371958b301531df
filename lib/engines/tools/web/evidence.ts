import { createHash } from 'node:crypto'
import type { Artifact } from '@/lib/protocol/files/artifact'

/** Returns what shows later that this content was read. The bytes are gone once they are read. */
export function evidenceOf(
  facts: readonly (readonly [name: string, value: string])[],
  content: Uint8Array,
): Artifact {
  return {
    type: 'table',
    title: 'Evidence',
    columns: ['Fact', 'Value'],
    rows: [
      ...facts.map((fact) => [...fact]),
      ['Bytes', String(content.length)],
      ['SHA-256', createHash('sha256').update(content).digest('hex')],
      ['Read at', new Date().toISOString()],
    ],
  }
}
