-- CreateTable
CREATE TABLE "host_requests" (
    "id" UUID NOT NULL,
    "origin" TEXT NOT NULL,
    "people" TEXT[],
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "host_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "host_requests_origin_key" ON "host_requests"("origin");
