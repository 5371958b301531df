'use client'
import type { OneTimeLink } from '@toolgate/server/domains/users/schemas'
import type { ReactNode } from 'react'
import { useUnsavedGuard } from '@/components/forms/may-leave'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Input } from '@/components/ui/input'

/** Shows a link or a key that cannot be shown again. Only "Done" closes it, so that nobody closes it by accident. */
export function ShownOnceDialog({
  title,
  children,
  label,
  text,
  what,
  onClose,
}: {
  title: string
  /** Says what to do with it. */
  children: ReactNode
  /** "One-time link" */
  label: string
  text: string
  /** "link", for the button that copies it. */
  what: string
  onClose: () => void
}) {
  useUnsavedGuard(true)
  return (
    <Dialog
      open
      stays
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={children}
      footer={
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <div className="flex items-center gap-1">
        <Input
          readOnly
          aria-label={label}
          className="font-mono text-mono"
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={text} what={what} />
      </div>
    </Dialog>
  )
}

/** Shows a link that sets a password. It is shown only this once. */
export function OneTimeLinkDialog({
  title,
  link,
  name,
  onClose,
}: {
  title: string
  link: OneTimeLink
  name: string
  onClose: () => void
}) {
  return (
    <ShownOnceDialog
      title={title}
      label="One-time link"
      text={link.address}
      what="link"
      onClose={onClose}
    >
      Send it only to <VisibleText text={name} />: whoever opens it first sets the password. It
      works once, within 7 days, and is shown only now.
    </ShownOnceDialog>
  )
}
