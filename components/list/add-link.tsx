import { Plus } from 'lucide-react'
import Link from 'next/link'
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
