'use client'
import Link from 'next/link'
import { createContext, type ReactNode, useContext } from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { visibleText } from '@/lib/words/clean-text'
import { leaveQuestion } from './may-leave'
import { notSaved } from './use-act'
import type { ActionForm } from './use-action-form'

type FormAround = {
  id: string
  busy: boolean
  failure: string | null
  change: (part: Record<string, unknown>) => void
}

const FormContext = createContext<FormAround | null>(null)

/** Returns what fields and buttons need of the surrounding form. */
export function useFormAround() {
  const form = useContext(FormContext)
  if (!form) throw new Error('A form field needs a Form around it')
  return form
}

/** Renders the form element and gives the form to the fields and buttons inside. */
export function Form<V extends FieldValues>({
  form,
  className,
  children,
  label,
}: {
  form: ActionForm<V>
  className?: string
  children: ReactNode
  label?: string
}) {
  const { id, element, submit, busy, failure, change } = form
  return (
    // Fields give the names and types of the form's own values.
    <FormContext value={{ id, busy, failure, change: change as FormAround['change'] }}>
      <FormProvider {...form}>
        {/* `post` keeps what was typed out of the address when the form is sent before React is ready. */}
        <form
          id={id}
          ref={element}
          method="post"
          noValidate
          aria-label={label}
          onSubmit={submit}
          className={cn('flex flex-col gap-3', className)}
        >
          {children}
        </form>
      </FormProvider>
    </FormContext>
  )
}

/** Shows the error that belongs to no field; without a title where it needs none. */
export function FormFailure({ title }: { title?: string }) {
  const { failure } = useFormAround()
  if (failure === null) return null
  if (title === undefined) return <ErrorNotice title={failure} />
  return <ErrorNotice title={title}>{failure}</ErrorNotice>
}

/** Shows the button that sends the form. */
export function SubmitButton({
  variant = 'primary',
  className,
  children,
}: {
  variant?: 'primary' | 'secondary'
  className?: string
  children: ReactNode
}) {
  const { busy } = useFormAround()
  return (
    <Button type="submit" variant={variant} loading={busy} className={className}>
      {children}
    </Button>
  )
}

/** Shows the end of a form: the error of the whole form, the button that sends it, and other buttons. */
export function FormButtons({
  button,
  failed = notSaved,
  variant = 'primary',
  cancel,
  children,
}: {
  /** A verb: "Add model". */
  button: string
  /** The heading of a failure. */
  failed?: string
  variant?: 'primary' | 'secondary'
  /** The address of "Cancel". */
  cancel?: string
  children?: ReactNode
}) {
  return (
    <>
      <FormFailure title={failed} />
      <div className="flex flex-wrap gap-2">
        <SubmitButton variant={variant}>{button}</SubmitButton>
        {cancel !== undefined && (
          <Button asChild>
            <Link href={cancel}>Cancel</Link>
          </Button>
        )}
        {children}
      </div>
    </>
  )
}

/** Shows a form of a few fields in a dialog. Closing it asks first when something was typed. */
export function FormDialog<V extends FieldValues>({
  form,
  title,
  description,
  button,
  danger = false,
  failed = notSaved,
  above,
  onClose,
  children,
}: {
  form: ActionForm<V>
  title: string
  description?: ReactNode
  /** A verb: "Invite". */
  button: string
  danger?: boolean
  /** The heading of a failure. */
  failed?: string
  /** Warnings, above the fields. */
  above?: ReactNode
  onClose: () => void
  /** The fields. */
  children: ReactNode
}) {
  const leave = () => {
    if (!form.unsaved || window.confirm(leaveQuestion)) onClose()
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
          <Button
            type="submit"
            form={form.id}
            variant={danger ? 'danger' : 'primary'}
            loading={form.busy}
          >
            {visibleText(button)}
          </Button>
        </>
      }
    >
      {above}
      <Form form={form}>
        <FormFailure title={failed} />
        {children}
      </Form>
    </Dialog>
  )
}
