import { CircleAlert } from 'lucide-react'
import { Checkbox } from '../ui/checkbox'

type Props = {
  checked: boolean
  error?: string
  onChange: (allowed: boolean) => void
}

/** Whether an address may be on this machine or in a private network: one of these a form. */
export function PrivateAddress({ checked, error, onChange }: Props) {
  return (
    <div className="flex flex-col gap-1">
      <label className="flex w-fit items-center gap-2" htmlFor="private-address">
        <Checkbox
          id="private-address"
          checked={checked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'private-address-error' : 'private-address-hint'}
          onCheckedChange={onChange}
        />
        Allow this address in a private network
      </label>
      <p id="private-address-hint" className="text-muted text-sm">
        Needed for this machine and for 10.x, 172.16.x and 192.168.x. Otherwise requests to private
        addresses are blocked.
      </p>
      {error && (
        <p id="private-address-error" className="flex items-start gap-1 text-error text-sm">
          <CircleAlert className="mt-px size-4 shrink-0" aria-hidden />
          {error}
        </p>
      )}
    </div>
  )
}
