'use client'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction } from '@/components/forms/use-act'
import { useToast } from '@/components/ui/toast'
import { freezeReason, reasonField } from '@/lib/shape/reason-words'
import { freeze, unfreeze } from './freeze-actions'

const words = {
  freeze: {
    title: 'Freeze this site',
    description: 'Active runs end. No run or tool call starts until an admin unfreezes the site.',
    required: freezeReason,
    hint: 'Everybody sees it; the audit keeps it.',
    failed: 'Not frozen',
    done: 'Froze this site',
  },
  unfreeze: {
    title: 'Unfreeze this site',
    description: 'Runs can start again. Those that it ended stay ended.',
    required: null,
    hint: reasonField.hint,
    failed: 'Not unfrozen',
    done: 'Unfroze this site',
  },
} as const

export type FreezeAct = keyof typeof words

/** Asks for the reason, and freezes or unfreezes the site. */
export function FreezeDialog({ act, onClose }: { act: FreezeAct; onClose: () => void }) {
  const toast = useToast()
  const { done, ...texts } = words[act]
  const submit = async (reason: string) => {
    const send = act === 'freeze' ? freeze : unfreeze
    const result = await sendAction<unknown>(() => send({ reason }))
    if (!result.ok) return result.error
    onClose()
    toast({ tone: 'ok', about: 'freeze', title: done })
    return null
  }
  return <ReasonDialog {...texts} danger={act === 'freeze'} onSubmit={submit} onClose={onClose} />
}
