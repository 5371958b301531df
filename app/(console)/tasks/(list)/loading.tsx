import { ListSkeleton } from '@/components/ui/list-skeleton'

export default function TasksLoading() {
  return <ListSkeleton label="Loading tasks" rows={6} />
}
