import { ListSkeleton } from '@/components/ui/list-skeleton'

export default function ModelsLoading() {
  return <ListSkeleton label="Loading models" rows={6} />
}
