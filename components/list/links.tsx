import { Download, Plus } from 'lucide-react'
import Link from 'next/link'
import { addressOf } from '@/components/forms/address-of'
import { Button } from '@/components/ui/button'

/** Shows a link to the form that adds another object to the list: "Add task". */
export function AddLink({ href, children }: { href: string; children: string }) {
  return (
    <Button asChild variant="primary">
      <Link href={href}>
        <Plus className="size-4" aria-hidden />
        {children}
      </Link>
    </Button>
  )
}

type ExportLinksProps = { route: `/api/${string}`; values: Parameters<typeof addressOf>[1] }

/** Shows the links to both formats of an export. Plain links, because prefetching one would write an export to the audit. */
export function ExportLinks({ route, values }: ExportLinksProps) {
  return (['csv', 'ndjson'] as const).map((format) => (
    <Button key={format} asChild>
      <a href={addressOf(route, { ...values, format })} download>
        <Download className="size-4" aria-hidden />
        {format.toUpperCase()}
      </a>
    </Button>
  ))
}
