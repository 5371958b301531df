import type { OneTimeLink } from '@/lib/domains/users/schemas'
import { ShownOnceDialog } from './shown-once-dialog'

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
      Send this link only to {name}: the person who opens it first sets the password. It works once,
      within 7 days, and is shown only now.
    </ShownOnceDialog>
  )
}
