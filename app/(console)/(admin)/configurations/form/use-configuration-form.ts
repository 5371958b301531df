'use client'
import type { EditableConfiguration } from '@toolgate/server/domains/configurations/schemas'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { sendAction } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { useToast } from '@/components/ui/toast'
import type { ActionError, ActionResult } from '@/lib/next/action'
import type { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import { identifierOf } from '@/lib/shape/identifier-of'
import { visibleText } from '@/lib/words/clean-text'
import { readNow, saveChanges, saveNew } from '../actions'
import {
  draftOf,
  emptyDraft,
  figureErrors,
  type TypedConfiguration,
  toInput,
} from './configuration-draft'
import { conflictOf, withOtherChanges } from './conflict-of'

/** `modelId`: the model that is picked for a new one. `changed`: what is put in, unsaved; null = nothing. */
type First = { modelId: string; changed: ConfigurationForm | null }

/** Returns the state of a configuration's form and its actions. `stored` null = a new one. */
export function useConfigurationForm(
  stored: EditableConfiguration | null,
  { modelId, changed }: First,
) {
  const toast = useToast()
  const [opened, setOpened] = useState(stored)
  const [now, setNow] = useState<EditableConfiguration | null>(null)
  const form = useActionForm<TypedConfiguration, { id: string }>({
    id: 'configuration',
    values: { ...(stored ? draftOf(stored.form) : { ...emptyDraft, modelId }), note: '' },
    send: async ({ note, ...draft }) => {
      const input = { ...toInput(draft), note }
      const result: ActionResult<{ id: string }> = opened
        ? await saveChanges({ ...input, id: opened.id, version: opened.version })
        : await saveNew(input)
      if (result.ok) return result
      const newer = await readNewer(opened, result.error)
      flushSync(() => setNow(newer))
      if (!result.error.fields) return result
      // Text that is no number was sent as NaN. What to write instead is said here.
      const fields = { ...result.error.fields, ...figureErrors(draft) }
      return { ok: false, error: { ...result.error, fields } }
    },
    fieldOf,
    // The identifier follows the name until somebody types one.
    adjust: (typed, before) =>
      opened === null &&
      typed.name !== before.name &&
      before.identifier === identifierOf(before.name)
        ? { identifier: identifierOf(typed.name) }
        : {},
    done: (_, { name }) => `Saved ${visibleText(name.trim())}`,
    next: ({ id }) => `/configurations/${id}`,
  })
  // External system: the address, which names a run. Put in as if typed, so that leaving asks and the fields count as changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after the form was shown
  useEffect(() => {
    if (changed) form.change(draftOf(changed))
  }, [])
  const draft = form.watch()
  const join = () => {
    if (!opened || !now) return
    flushSync(() => {
      form.change(withOtherChanges(opened, draft, now))
      setOpened(now)
      setNow(null)
    })
    toast({ tone: 'ok', title: 'Changes merged. Save to keep the changes of both of you.' })
    form.element.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }
  return {
    form,
    draft,
    conflict: opened && now && { conflict: conflictOf(opened, draft, now), onJoin: join },
  }
}

/** Returns the configuration as it is stored now, when somebody else has changed it since it was opened. */
async function readNewer(
  opened: EditableConfiguration | null,
  { code }: ActionError,
): Promise<EditableConfiguration | null> {
  if (!opened || code !== 'stale') return null
  const result = await sendAction(() => readNow({ id: opened.id }))
  return result.ok ? result.value : null
}

/** Returns the field of an error: "stop.0" belongs to "stop", "options.verbosity" to "verbosity". */
function fieldOf(path: string): string {
  return path.replace(/^options\./, '').split('.')[0] ?? path
}
