module bruno

go 1.26
