import 'server-only'
import { db } from '@/lib/kernel/db'

type Label = string | null | undefined

/**
 * Returns what says a person's name for a label that begins with their e-mail address, as those of changes do. The label stays where
 * nobody has the address. Everybody names themselves, so a name that several people have keeps its address beside it. For labels
 * that the reader may see already. `withAddress`: each name has the address beside it, where somebody decides because of it.
 */
export async function readPersonNames(
  labels: Iterable<Label>,
  { withAddress = false }: { withAddress?: boolean } = {},
): Promise<(label: string) => string> {
  const emails = new Set([...labels].flatMap((label) => addressIn(label) ?? []))
  if (emails.size === 0) return (label) => label
  const people = await db().user.findMany({
    where: { email: { in: [...emails] }, name: { not: '' } },
    select: { email: true, name: true },
  })
  const groups = await db().user.groupBy({
    by: ['name'],
    where: { name: { in: people.map(({ name }) => name) } },
    _count: true,
  })
  const shared = new Set(groups.filter(({ _count }) => _count > 1).map(({ name }) => name))
  const names = new Map(
    people.map(({ email, name }) => [
      email,
      withAddress || shared.has(name) ? `${name} (${email})` : name,
    ]),
  )
  return (label) => {
    const email = addressIn(label)
    const name = email && names.get(email)
    return email && name ? `${name}${label.slice(email.length)}` : label
  }
}

/** Returns rows whose labels under `keys` say names. */
export async function withPersonNames<
  Key extends string,
  Row extends Partial<Record<Key, string | null>>,
>(rows: readonly Row[], keys: readonly Key[], options?: { withAddress: boolean }): Promise<Row[]> {
  const labels = rows.flatMap((row) => keys.map((key) => row[key]))
  const nameOf = await readPersonNames(labels, options)
  const named = (row: Row) =>
    keys.flatMap((key) => {
      const label = row[key]
      return typeof label === 'string' ? [[key, nameOf(label)] as const] : []
    })
  return rows.map((row) => ({ ...row, ...Object.fromEntries(named(row)) }))
}

function addressIn(label: Label): string | undefined {
  return label?.match(/^\S+@\S+/)?.[0]
}
