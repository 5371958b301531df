import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import { identifierPattern, mostCharacters } from '@/lib/shape/identifier'

const longestName = 100

/** Returns the name, or the name with the first number behind it that nothing of this kind has. */
export async function freeName(
  tx: Tx,
  kind: 'connection' | 'configuration',
  name: string,
): Promise<string> {
  const where = { name: { startsWith: name.slice(0, longestName - 10) } }
  const select = { name: true }
  const rows =
    kind === 'connection'
      ? await tx.connection.findMany({ where, select })
      : await tx.configuration.findMany({ where, select })
  return firstFree(
    new Set(rows.map((row) => row.name)),
    (end) => `${name.slice(0, longestName - end.length)}${end}`,
    ' ',
  )
}

/** Returns an identifier made from the id of a model that no configuration has. */
export async function freeIdentifier(tx: Tx, modelId: string): Promise<string> {
  const plain = identifierOf(modelId)
  const rows = await tx.configuration.findMany({
    where: { identifier: { startsWith: plain.slice(0, mostCharacters - 10) } },
    select: { identifier: true },
  })
  return firstFree(
    new Set(rows.map(({ identifier }) => identifier)),
    (end) => `${plain.slice(0, mostCharacters - end.length)}${end}`,
    '-',
  )
}

/** Returns "gpt-6.2-sol" for "openai/GPT-6.2_Sol:latest". */
export function identifierOf(modelId: string): string {
  const last = modelId.split('/').at(-1) ?? ''
  const plain = last
    .toLowerCase()
    .replace(/:latest$/, '')
    .replace(/[^a-z0-9]+/g, (between) => (between === '.' ? '.' : '-'))
    .slice(0, mostCharacters - 10)
    .replace(/^[.-]|[.-]$/g, '')
  return identifierPattern.test(plain) ? plain : 'model'
}

function firstFree(
  taken: ReadonlySet<string>,
  withEnd: (end: string) => string,
  between: string,
): string {
  for (let number = 1; ; number++) {
    const wanted = withEnd(number === 1 ? '' : `${between}${number}`)
    if (!taken.has(wanted)) return wanted
  }
}
