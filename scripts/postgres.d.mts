export declare function postgresFolder(): string | null
