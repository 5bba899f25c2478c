module emil

go 1.26
