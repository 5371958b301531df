'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { useToast } from '@/components/ui/toast'
import type { ActionError, ActionResult } from '@/lib/kernel/action'
import { visibleText } from '@/lib/protocol/visible-text'
import { addRule, changeRule } from './actions'
import { type RuleDraft, toRuleInput } from './rule-draft'

/** A rule as the form was filled from it. */
export type StoredRule = { id: string; updatedAt: string }

/** Saves a rule and goes back to the list. `save` resolves with the error, if any. `stored` null = a new rule. */
export function useSaveRule(stored: StoredRule | null) {
  const toast = useToast()
  const router = useRouter()
  // After a refresh, the draft still belongs to the version that it was made from.
  const [seen] = useState(stored)
  const [state, setState] = useState<'editing' | 'saving' | 'saved'>('editing')
  const save = async (draft: RuleDraft): Promise<ActionError | null> => {
    if (state !== 'editing') return null
    setState('saving')
    const rule = toRuleInput(draft)
    const result: ActionResult<unknown> = await sendAction<unknown>(() =>
      seen === null ? addRule(rule) : changeRule({ ...seen, rule }),
    )
    setState(result.ok ? 'saved' : 'editing')
    if (!result.ok) return result.error
    toast({ tone: 'ok', title: `Saved ${visibleText(rule.name)}` })
    router.push('/approvals/rules')
    return null
  }
  return { busy: state === 'saving', saved: state === 'saved', save }
}
