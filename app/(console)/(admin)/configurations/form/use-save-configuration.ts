'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { mergeFieldErrors } from '@/components/forms/merge-field-errors'
import { sendAction } from '@/components/forms/send-action'
import { useToast } from '@/components/ui/toast'
import type { EditableConfiguration } from '@/lib/domains/configurations/read-editable-configuration'
import type { ActionError, ActionResult } from '@/lib/kernel/action'
import { visibleText } from '@/lib/protocol/visible-text'
import { type ConfigurationDraft, figureErrors, toInput } from './configuration-draft'
import { readNow, saveChanges, saveNew } from './form-actions'

/** Why it was not saved. `now`: the stored configuration, when somebody else has changed it since. */
export type NotSaved = { error: ActionError; now: EditableConfiguration | null }

/** Saves a configuration and goes to its page. `opened` null = it is a new one. */
export function useSaveConfiguration(opened: EditableConfiguration | null) {
  const toast = useToast()
  const router = useRouter()
  const [state, setState] = useState<'editing' | 'saving' | 'saved'>('editing')

  const send = async (draft: ConfigurationDraft, note: string): Promise<NotSaved | null> => {
    const input = { ...toInput(draft), note }
    const sent: ActionResult<{ id: string }> = await sendAction<{ id: string }>(() =>
      opened
        ? saveChanges({ ...input, configurationId: opened.id, version: opened.version })
        : saveNew(input),
    )
    const result = mergeFieldErrors(sent, figureErrors(draft))
    if (!result.ok) return { error: result.error, now: await meanwhile(opened, result.error) }
    setState('saved')
    toast({ tone: 'ok', title: `Saved ${visibleText(draft.name.trim())}` })
    router.push(`/configurations/${result.value.id}`)
    return null
  }
  const save = async (draft: ConfigurationDraft, note: string) => {
    if (state !== 'editing') return null
    setState('saving')
    const refused = await send(draft, note)
    if (refused) setState('editing')
    return refused
  }
  return { busy: state !== 'editing', saved: state === 'saved', save }
}

async function meanwhile(
  opened: EditableConfiguration | null,
  { code }: ActionError,
): Promise<EditableConfiguration | null> {
  if (!opened || code !== 'stale') return null
  const result = await sendAction(() => readNow({ configurationId: opened.id }))
  return result.ok ? result.value : null
}
