'use client'
import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { idempotencyKeys } from '@/components/forms/idempotency-keys'
import { sendAction } from '@/components/forms/use-act'
import { countOf } from '@/lib/words/format'
import { comparePrompt, coordinatePrompt } from '../actions'
import { compareKey, readStored, store } from '../browser-storage'
import type { RunDraft } from '../run-draft'
import { useSentStart } from '../use-sent-start'
import {
  type CompareDraft,
  type CompareErrors,
  checkCompare,
  compareErrorsOf,
  leastMembers,
  noCompare,
  type PanelMode,
  toCoordinationInput,
  tooFew,
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
  const sent = useSentStart()

  // External system: the browser's storage, which the server does not see.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after the page was loaded
  useEffect(() => {
    const known = recall()
    if (!known) return
    const there = known.ids.filter((id) => configurations.some((each) => each.id === id))
    setDraft({ ...known, ids: there, mode: wanted ?? 'compare' })
  }, [])

  /** `shown`: the run that the Playground shows once it compares no more. */
  const keep = (next: boolean, values: CompareDraft, shown: string | null = null) => {
    setOn(next)
    setDraft(values)
    store(() => localStorage, compareKey, JSON.stringify(values))
    const single = shown === null ? '/playground' : `/playground?run=${shown}`
    window.history.replaceState(null, '', next ? addressOf(values.mode) : single)
  }
  const submit = async (run: RunDraft): Promise<CompareErrors> => {
    const found = checkCompare(draft, run)
    setErrors(found)
    if (Object.keys(found).length > 0 || busy) return found
    setBusy(true)
    const result = await sendAction(() => start(run))
    if (result.ok) {
      sent.answered()
      keys.started()
      const href = `/runs/panels/${result.value.panelId}`
      if (sent.isThere()) router.push(href)
      else sent.started(href)
      return {}
    }
    sent.unanswered()
    if (!sent.isThere()) sent.refused(result.error.message)
    setBusy(false)
    const refused = compareErrorsOf(result.error)
    setErrors(refused)
    return refused
  }
  const start = (run: RunDraft) => {
    const keyFor = (input: object) => {
      const idempotencyKey = keys.keyFor(JSON.stringify(input))
      sent.sending(idempotencyKey, run.prompt)
      return { idempotencyKey }
    }
    if (draft.mode === 'compare') {
      const input = toPanelInput(draft, run)
      return comparePrompt({ ...input, ...keyFor(input) })
    }
    const input = toCoordinationInput(draft, run)
    return coordinatePrompt({ ...input, ...keyFor(input) })
  }
  return {
    isOn,
    draft,
    errors,
    busy,
    submit,
    line: `${draft.mode === 'compare' ? 'Compare' : 'Coordinate'} ${countOf(draft.ids.length, 'configuration')}, ${countOf(draft.tools.length, 'tool')}`,
    change: (part: Partial<CompareDraft>) => keep(isOn, { ...draft, ...part }),
    /** `first`: the configuration that was picked, which begins the list. */
    turnOn: (first: string | null) => {
      const others = draft.ids.filter((id) => id !== first)
      keep(true, { ...draft, mode: 'compare', ids: first === null ? others : [first, ...others] })
    },
    turnOff: (shown: string | null) => {
      setErrors({})
      keep(false, draft, shown)
    },
    obstacle:
      draft.ids.length < leastMembers[draft.mode]
        ? { reason: tooFew[draft.mode], link: null }
        : null,
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
