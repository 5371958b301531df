import 'server-only'
import type { AnyVerbs } from '@/lib/edge/resource-verbs'
import { nouns } from '@/lib/nouns'
import type { NounKey } from '@/lib/protocol/nouns'

const loaded: ReadonlyMap<string, AnyVerbs> = new Map(
  await Promise.all(
    Object.entries(nouns).map(async ([key, { verbs }]): Promise<[string, AnyVerbs]> => {
      return [key, await verbs()]
    }),
  ),
)

/** Returns the operations on a described noun, for code that works on any: `verbsOf('hosts').update`. */
export function verbsOf(key: NounKey): AnyVerbs {
  const verbs = loaded.get(key)
  if (verbs === undefined) throw new Error(`There is no noun ${key}.`)
  return verbs
}
