import { Plus } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'

/** To the form that adds one more of what is listed: "Add task". */
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
