export { FormSkeleton as default } from '@/components/ui/page-skeletons'
