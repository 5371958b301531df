import { BellOff } from 'lucide-react'
import Link from 'next/link'
import { useReaderRole } from './reader-role'

/** Says that no channel took a message about a call that waits. Admins get a link to what the channels answered. */
export function NobodyNotified() {
  const isAdmin = useReaderRole() === 'admin'
  return (
    <p className="flex items-start gap-1.5 text-sm text-warning">
      <BellOff className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>
        No channel took the message about this call.{' '}
        {isAdmin ? (
          <Link href="/channels" className="text-link underline underline-offset-2">
            See the channels
          </Link>
        ) : (
          'Tell an approver yourself.'
        )}
      </span>
    </p>
  )
}
