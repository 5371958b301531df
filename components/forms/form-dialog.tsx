'use client'
import { type ReactNode, useId } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { ActionResult } from '@/lib/kernel/action'
import { leaveQuestion } from './may-leave'
import { useSubmit } from './use-submit'

type Props<T> = {
  title: string
  description?: ReactNode
  /** A verb: "Invite". */
  button: string
  /** The heading over a failure: "Nobody was invited". */
  failed: string
  send: (text: (field: string) => string) => Promise<ActionResult<T>>
  onDone: (value: T) => void
  onClose: () => void
  /** True when something other than the named fields was changed. */
  changed?: boolean
  /** The fields, with what is wrong with each by its name; `id` begins their ids. */
  children: (fields: Partial<Record<string, string>>, id: string) => ReactNode
}

/** A few fields that are sent together, above the page. Closing it asks first when something was typed. */
export function FormDialog<T>({
  title,
  description,
  button,
  failed,
  children,
  onClose,
  ...rest
}: Props<T>) {
  const id = useId()
  const { form, busy, unsaved, error, fields } = useSubmit(rest)
  const leave = () => {
    if (!unsaved || window.confirm(leaveQuestion)) onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && leave()}
      title={title}
      description={description}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" loading={busy}>
            {button}
          </Button>
        </>
      }
    >
      {error && !error.fields && <ErrorNotice title={failed}>{error.message}</ErrorNotice>}
      <form id={id} {...form} className="flex flex-col gap-3">
        {children(fields, id)}
      </form>
    </Dialog>
  )
}
