'use client'
import { CopyButton } from '@/components/ui/copy-button'
import { Input } from '@/components/ui/input'
import type { OneTimeLink } from '@/lib/users/schemas'

/** A link that sets a password, shown this once. */
export function OneTimeLinkBox({ link, name }: { link: OneTimeLink; name: string }) {
  const address = `${window.location.origin}/invite/${link.token}`
  return (
    <div className="flex flex-col gap-2">
      <p>
        Send this link to {name}, and to nobody else: whoever opens it first sets the password. It
        works once, within 7 days, and is shown only now.
      </p>
      <div className="flex items-center gap-1">
        <Input
          readOnly
          aria-label="One-time link"
          className="font-mono text-mono"
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={address} what="link" />
      </div>
    </div>
  )
}
