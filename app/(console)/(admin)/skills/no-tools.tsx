import type { ComponentProps } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { visibleText } from '@/lib/words/clean-text'

/** Asks before runs are left without tools. */
export function NoTools({
  question,
  ...dialog
}: { question: string } & Omit<ComponentProps<typeof ConfirmDialog>, 'title' | 'children'>) {
  return (
    <ConfirmDialog {...dialog} title="Leave runs without tools">
      {visibleText(question)}
    </ConfirmDialog>
  )
}
