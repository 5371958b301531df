import { type AnyVerb, loadVerbs, type VerbDefinition } from './all-verbs'

/** Reports of verbs while a request was answered. */
export type Seen = {
  /** Verbs that were called, whether or not they refused. */
  called: VerbDefinition[]
  /** Names of verbs whose input was an act of persons. */
  acts: string[]
  /** Names of verbs whose input needs a recent proof. */
  proofs: string[]
}

/** Notes of every verb that it is called, and that its input is an act of persons or needs a proof. */
export async function watchVerbs() {
  const verbs = [...new Set(await loadVerbs())]
  let seen: Seen = { called: [], acts: [], proofs: [] }
  const undo = verbs.map((verb) => watch(verb, () => seen))
  return {
    verbs,
    /** Returns what was noted since the last time. */
    take: (): Seen => {
      const taken = seen
      seen = { called: [], acts: [], proofs: [] }
      return taken
    },
    close: () => {
      for (const each of undo) each()
    },
  }
}
export type WatchedVerbs = Awaited<ReturnType<typeof watchVerbs>>

function watch({ definition }: AnyVerb, seen: () => Seen): () => void {
  const before = Object.getOwnPropertyDescriptors(definition)
  const { name, role, personsAct, needsReauthentication } = definition
  // A call reads the role before anything else.
  const get = () => {
    seen().called.push(definition)
    return role
  }
  Object.defineProperty(definition, 'role', { get, configurable: true, enumerable: true })
  Object.assign(definition, {
    ...(personsAct && {
      personsAct: async (...given: Parameters<typeof personsAct>) => {
        const act = await personsAct(...given)
        if (act !== null) seen().acts.push(name)
        return act
      },
    }),
    ...(needsReauthentication && {
      needsReauthentication: async (input: unknown) => {
        const needed = await needsReauthentication(input)
        if (needed) seen().proofs.push(name)
        return needed
      },
    }),
  })
  return () => Object.defineProperties(definition, before)
}
