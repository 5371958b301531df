'use client'
import { Globe } from 'lucide-react'
import Link from 'next/link'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { parseWebAddress } from '@/lib/domains/hosts/shared/web-origin'
import { useHostRequest } from './host-request'
import { useReaderRole } from './reader-role'

/** Shows what a reader can do about a host that tools may not read: list it, or ask an admin for it. */
export function AskForHost({ argumentsText }: { argumentsText: string }) {
  const ask = useHostRequest()
  const isAdmin = useReaderRole() === 'admin'
  const { busy, act } = useAct()
  const origin = askedOrigin(argumentsText)
  if (!ask || origin === null) return null
  if (isAdmin) {
    return (
      <Button asChild size="sm" className="self-start">
        <Link href={`/resources/hosts?${new URLSearchParams({ ask: origin })}`}>
          <Globe className="size-4" aria-hidden />
          Add this host
        </Link>
      </Button>
    )
  }
  return (
    <Button
      size="sm"
      className="self-start"
      loading={busy}
      onClick={() =>
        void act(() => ask({ origin }), {
          failed: 'Not asked for',
          done: ({ isListed }) => (isListed ? 'Host listed' : 'Host asked for'),
        })
      }
    >
      {!busy && <Globe className="size-4" aria-hidden />}
      Ask for this host
    </Button>
  )
}

/** Returns the origin of the address that a call asked for; null = its arguments have none. */
function askedOrigin(argumentsText: string): string | null {
  try {
    const { url }: Record<string, unknown> = { ...Object(JSON.parse(argumentsText)) }
    const parsed = typeof url === 'string' ? parseWebAddress(url.trim()) : null
    return parsed && 'url' in parsed ? parsed.url.origin : null
  } catch {
    return null
  }
}
