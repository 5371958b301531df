'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { idempotencyKeys } from '@/components/forms/idempotency-keys'
import { sendAction } from '@/components/forms/use-act'
import type { ConfigurationListing } from '@/lib/domains/configurations/schemas'
import { countOf } from '@/lib/protocol/format'
import { comparePrompt, coordinatePrompt } from '../actions'
import { compareKey, readStored, store } from '../browser-storage'
import type { RunDraft } from '../run-draft'
import {
  type CompareDraft,
  type CompareErrors,
  checkCompare,
  compareErrorsOf,
  noCompare,
  type PanelMode,
  toCoordinationInput,
  toPanelInput,
} from './compare-draft'

type Found = {
  configurations: ConfigurationListing[]
  /** The mode in the address; null = one configuration. */
  wanted: PanelMode | null
}

/** Returns whether what is in the form can be a panel: a prompt of its own, and configurations to choose from. */
export function mayCompare(
  { task, continues, changedFrom }: RunDraft,
  configurations: readonly ConfigurationListing[],
): boolean {
  return !task && !continues && !changedFrom && configurations.length > 0
}

/** Holds whether the Playground compares configurations, and the values of that form; what this browser remembers first. */
export function useCompare({ configurations, wanted }: Found) {
  const router = useRouter()
  const [isOn, setOn] = useState(wanted !== null)
  const [draft, setDraft] = useState({ ...noCompare, mode: wanted ?? noCompare.mode })
  const [errors, setErrors] = useState<CompareErrors>({})
  const [busy, setBusy] = useState(false)
  const [keys] = useState(idempotencyKeys)

  // Outside system: the browser's storage, which the server does not see.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after the page was loaded
  useEffect(() => {
    const known = recall()
    if (!known) return
    const there = known.ids.filter((id) => configurations.some((each) => each.id === id))
    setDraft({ ...known, ids: there, mode: wanted ?? 'compare' })
  }, [])

  const keep = (next: boolean, values: CompareDraft) => {
    setOn(next)
    setDraft(values)
    store(() => localStorage, compareKey, JSON.stringify(values))
    window.history.replaceState(null, '', next ? addressOf(values.mode) : '/playground')
  }
  const submit = async (run: RunDraft): Promise<CompareErrors> => {
    const found = checkCompare(draft, run)
    setErrors(found)
    if (Object.keys(found).length > 0 || busy) return found
    setBusy(true)
    const result = await sendAction(() => start(run))
    if (result.ok) {
      keys.started()
      router.push(`/runs/panels/${result.value.panelId}`)
      return {}
    }
    setBusy(false)
    const refused = compareErrorsOf(result.error)
    setErrors(refused)
    return refused
  }
  const start = (run: RunDraft) => {
    if (draft.mode === 'compare') {
      const input = toPanelInput(draft, run)
      return comparePrompt({ ...input, idempotencyKey: keys.keyFor(JSON.stringify(input)) })
    }
    const input = toCoordinationInput(draft, run)
    return coordinatePrompt({ ...input, idempotencyKey: keys.keyFor(JSON.stringify(input)) })
  }
  return {
    ...{ isOn, draft, errors, busy, submit },
    line: `${draft.mode === 'compare' ? 'Compare' : 'Coordinate'} ${countOf(draft.ids.length, 'configuration')}, ${countOf(draft.tools.length, 'tool')}`,
    change: (part: Partial<CompareDraft>) => keep(isOn, { ...draft, ...part }),
    /** `first`: the configuration that was picked, which begins the list. */
    turnOn: (first: string | null) => {
      const others = draft.ids.filter((id) => id !== first)
      keep(true, { ...draft, mode: 'compare', ids: first === null ? others : [first, ...others] })
    },
    turnOff: () => {
      setErrors({})
      keep(false, draft)
    },
  }
}

const Cap = z.object({ costCap: z.string(), costCapMode: z.enum(['enforce', 'warn']) })
const Remembered = z.object({
  mode: z.enum(['compare', 'coordinate']).default('compare'),
  told: z
    .object({ proposer: z.string(), critic: z.string(), synthesizer: z.string() })
    .default(noCompare.told),
  ids: z.array(z.string()),
  tools: z.array(z.string()),
  hops: z.string(),
  all: Cap,
  each: Cap,
  outputSchema: z.string().default(''),
})

/** Returns the address of the Playground with this mode. */
function addressOf(mode: PanelMode): string {
  return `/playground?compare=${mode === 'compare' ? 'on' : mode}`
}

/** Returns null when nothing valid is stored. */
function recall(): z.infer<typeof Remembered> | null {
  try {
    const text = readStored(() => localStorage, compareKey)
    return text === null ? null : (Remembered.safeParse(JSON.parse(text)).data ?? null)
  } catch {
    return null
  }
}
